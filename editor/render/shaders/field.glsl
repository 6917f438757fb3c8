// Positions of the displaced surface, metres from the eye.

uniform sampler2D u_offset;   // dx, dy, dz of each vertex; one texel a vertex, row 0 south
uniform ivec2 u_last;         // last column, last row
uniform float u_cell;
uniform ivec2 u_anchor;       // column and row of the vertex nearest the eye
uniform vec3 u_anchor_place;  // rest position of that vertex relative to the eye

// Counting from the anchor keeps numbers small, and so exact, where the eye can tell.
vec2 rest_place(ivec2 at) {
    return u_anchor_place.xy + vec2(at - u_anchor) * u_cell;
}
