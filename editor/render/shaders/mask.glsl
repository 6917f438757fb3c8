// The shown mask over the ground: its colour, and a line of marching ants where it is one half.

uniform sampler2D u_mask;
uniform vec4 u_mask_colour;  // sRGB and opacity
uniform float u_phase;

const float DASH = 5.0;       // pixels of a dash; its gap is as long
const float ANTS_WIDTH = 1.5; // pixels

float mask_at(vec2 grid) {
    return texture(u_mask, (clamp(grid, vec2(0.0), vec2(u_last)) + 0.5) / vec2(u_last + 1)).r;
}

vec3 with_mask(vec3 srgb, float mask) {
    return mix(srgb, u_mask_colour.rgb, u_mask_colour.a * mask);
}

#if OUTLINE
// The mask's own slope, not its change from pixel to pixel, so that the line stays even where cells are small.
vec3 with_ants(vec3 srgb, float mask) {
    vec2 right = dFdx(v_grid), up = dFdy(v_grid);
    float reach = max(0.5, 0.5 * pixel_width());
    float west = mask_at(v_grid - vec2(reach, 0.0)), east = mask_at(v_grid + vec2(reach, 0.0));
    float south = mask_at(v_grid - vec2(0.0, reach)), north = mask_at(v_grid + vec2(0.0, reach));
    vec2 slope = vec2(east - west, north - south) / (2.0 * reach);
    float change = length(vec2(dot(slope, right), dot(slope, up)));
    float mean = 0.5 * mask + 0.125 * (west + east + south + north);
    // A plateau at one half has no outline.
    float line = clamp(0.5 * ANTS_WIDTH + 0.5 - abs(mean - 0.5) / max(change, 1e-6), 0.0, 1.0);
    line *= clamp(change / 2e-4 - 1.0, 0.0, 1.0);
    float along = (gl_FragCoord.x + gl_FragCoord.y) / (2.0 * DASH) - u_phase;
    float dash = clamp((abs(fract(along) - 0.5) - 0.25) * 2.0 * DASH + 0.5, 0.0, 1.0);
    return mix(srgb, vec3(dash), line);
}
#endif
