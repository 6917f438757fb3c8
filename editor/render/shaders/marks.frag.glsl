// A strip with round ends; where two segments of one line meet, each pixel belongs to the nearer, so none is drawn twice.

uniform float u_opacity;

flat in vec4 v_ends;
flat in vec4 v_beyond;
flat in float v_half;  // of the width, pixels
flat in vec3 v_colour;
in float v_depth;

out vec4 f_colour;

float away_from(vec2 start, vec2 end) {
    vec2 way = end - start, here = gl_FragCoord.xy - start;
    float along = dot(here, way), whole = dot(way, way);
    if (along <= 0.0 || whole <= 0.0) return length(here);
    if (along >= whole) return distance(gl_FragCoord.xy, end);
    return length(here - way * (along / whole));
}

void main() {
    float away = away_from(v_ends.xy, v_ends.zw);
    float cover = clamp(v_half + 0.5 - away, 0.0, 1.0);
    if (cover <= 0.0) discard;
    if (v_beyond.xy != v_ends.xy && away_from(v_beyond.xy, v_ends.xy) <= away) discard;
    if (v_beyond.zw != v_ends.zw && away_from(v_ends.zw, v_beyond.zw) < away) discard;
    f_colour = vec4(v_colour, cover * u_opacity);
    // Marks may stand nearer or farther than the map, to which the depth range is fitted.
    gl_FragDepth = clamp(0.5 + 0.5 * v_depth, 0.0, 1.0);
}
