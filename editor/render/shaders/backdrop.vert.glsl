// One triangle that covers the picture, at the far end of the depth range.

in vec2 a_corner;

uniform mat3 u_rotation;
uniform vec2 u_spread;  // tangent of half the field of view, across and up

out vec3 v_direction;

void main() {
    v_direction = vec3(a_corner * u_spread, -1.0) * u_rotation;
    gl_Position = vec4(a_corner, 1.0, 1.0);
}
