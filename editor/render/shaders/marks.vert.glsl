// One corner of the strip around one segment of a mark.

in vec2 a_corner;   // 0 at the start, 1 at the end; side -1 or 1
in vec4 a_ends;     // pixels from the bottom left: start, end
in vec4 a_beyond;   // start of the segment before, end of the one after; the segment's own ends if there is none
in vec4 a_shape;    // depth at start and end in clip coordinates, width in pixels, 1 if what is hidden is drawn too
in vec3 a_colour;   // sRGB

uniform vec2 u_size;   // of the picture, pixels
uniform int u_hidden;  // 1 while drawing what is hidden

flat out vec4 v_ends;
flat out vec4 v_beyond;
flat out float v_half;
flat out vec3 v_colour;
out float v_depth;

void main() {
    v_ends = a_ends;
    v_beyond = a_beyond;
    v_half = 0.5 * a_shape.z;
    v_colour = a_colour;
    v_depth = mix(a_shape.x, a_shape.y, a_corner.x);
    vec2 way = a_ends.zw - a_ends.xy;
    float size = length(way);
    vec2 along = size > 1e-6 ? way / size : vec2(1.0, 0.0);
    float reach = v_half + 1.0;  // a pixel for the soft edge
    vec2 place = mix(a_ends.xy, a_ends.zw, a_corner.x);
    place += reach * ((2.0 * a_corner.x - 1.0) * along + a_corner.y * vec2(-along.y, along.x));
    if (u_hidden == 1 && a_shape.w < 0.5) place = vec2(-1e6);
    gl_Position = vec4(2.0 * place / u_size - 1.0, 0.0, 1.0);
}
