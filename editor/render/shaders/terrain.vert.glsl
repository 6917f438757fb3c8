// One vertex of an instanced 16-cell patch, drawn between two levels of detail.

#include "field.glsl"

in vec2 a_vertex;  // row, column within the patch, 0..16
in vec4 a_patch;   // first row, first column, level of the patch
in vec4 a_edges;   // level of the south, west, north and east edge, the same in both patches that share it

uniform mat3 u_rotation;    // world to camera axes
uniform vec4 u_projection;  // x scale, y scale, z scale, z shift

out vec2 v_grid;   // column, row with fraction
out vec3 v_place;  // world axes, relative to the eye

invariant gl_Position;

ivec2 inside(ivec2 at) {
    return min(at, u_last);
}

vec3 place(ivec2 at) {
    at = inside(at);
    vec3 offset = texelFetch(u_offset, at, 0).xyz;
    return vec3(rest_place(at), u_anchor_place.z) + offset;
}

float level_here(ivec2 vertex) {
    if (vertex.y == 0) return a_edges.x;
    if (vertex.x == 0) return a_edges.y;
    if (vertex.y == 16) return a_edges.z;
    if (vertex.x == 16) return a_edges.w;
    return a_patch.z;
}

void main() {
    ivec2 vertex = ivec2(a_vertex.yx);
    float level = level_here(vertex);
    int coarse = int(level);
    float morph = level - float(coarse);
    // Vertices finer than the level collapse onto the one before them.
    vertex = (vertex >> coarse) << coarse;
    ivec2 at = ivec2(a_patch.yx) + vertex;
    // Those that the next level lacks move to the middle of the two between which they lie.
    ivec2 odd = ((vertex >> coarse) & 1) << coarse;
    v_place = place(at);
    v_grid = vec2(inside(at));
    if (morph > 0.0 && odd != ivec2(0)) {
        v_place = mix(v_place, 0.5 * (place(at - odd) + place(at + odd)), morph);
        v_grid = mix(v_grid, 0.5 * (vec2(inside(at - odd)) + vec2(inside(at + odd))), morph);
    }
    vec3 seen = u_rotation * v_place;
    gl_Position = vec4(seen.xy * u_projection.xy, seen.z * u_projection.z + u_projection.w, -seen.z);
}
