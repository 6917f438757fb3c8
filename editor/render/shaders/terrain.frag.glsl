// Lights and colours the true displaced surface, whatever level of detail carries it.

#include "field.glsl"
#include "light.glsl"
#include "water.glsl"
#include "tint.glsl"

uniform float u_contours;  // metres between lines; 0: none
#if HOLES
uniform sampler2D u_holes;
#endif
#if ALPHA
uniform sampler2D u_alpha;
#endif
#if AO
uniform sampler2D u_ao;
#endif

in vec2 v_grid;
in vec3 v_place;

out vec4 f_colour;

// Cells that a pixel covers, along the longer way but no more than four times the shorter: what is seen edge-on, as at
// the lip of a cave, would take its light from ground far around the corner.
float pixel_width() {
    vec2 right = dFdx(v_grid), up = dFdy(v_grid);
    float most = sqrt(max(dot(right, right), dot(up, up)));
    float least = abs(right.x * up.y - right.y * up.x) / max(most, 1e-20);
    return min(most, 4.0 * least);
}

#include "rings.glsl"
#if VIEW
#include "studio.glsl"
#endif
#if WIRE
#include "wire.glsl"
#endif
#if MASK
#include "mask.glsl"
#endif

vec3 surface(vec2 grid) {
    grid = clamp(grid, vec2(0.0), vec2(u_last));
    vec3 offset = texture(u_offset, (grid + 0.5) / vec2(u_last + 1)).xyz;
    return vec3((grid - vec2(u_anchor)) * u_cell, 0.0) + offset;
}

// footprint: metres of ground that a pixel covers.
vec3 ground_colour(float height, vec3 normal, float hollow, float footprint) {
    if (u_tint == 1) return by_height(height);
    if (u_tint == 2) return by_slope(normal.z);
    if (u_tint == 3) return vec3(0.36, 0.33, 0.30);
    vec2 at = v_grid * u_cell;
    vec2 coarse = at * (0.6 / max(u_relief.y, 20.0));
    // The finer octave fades before its texels, 1/256 of a repeat, are smaller than pixels.
    float texels = footprint * (0.6 * 5.3 * 256.0) / max(u_relief.y, 20.0);
    float fine = texture(u_noise, coarse * 5.3).r;
    vec2 noise = vec2(texture(u_noise, coarse).r, mix(0.5, fine, clamp(2.2 - 0.35 * texels, 0.25, 1.0)));
    vec3 colour = natural(height, normal.z, hollow, noise);
    // Grain for those who walk, each octave gone before a pixel is wider than its texels.
    float far_grain = clamp(1.6 - 1.6 * footprint, 0.0, 1.0);
    if (far_grain > 0.0) {
        float near_grain = clamp(1.5 - 6.0 * footprint, 0.0, 1.0);
        float grain = far_grain * (texture(u_noise, at / 97.0).r - 0.5);
        grain += near_grain * (texture(u_noise, at / 7.0).r + texture(u_noise, at.yx / 31.0).r - 1.0);
        colour *= 1.0 + 0.42 * grain;
    }
    return colour;
}

// The share of the surroundings that a baked occlusion lets through.
float baked() {
#if AO
    return texture(u_ao, (v_grid + 0.5) / vec2(u_last + 1)).r;
#else
    return 1.0;
#endif
}

vec3 lit(vec3 colour, vec3 normal, float hollow) {
    float direct = max(dot(normal, u_sun), 0.0);
    float open = clamp(1.0 - 0.50 * hollow, 0.60, 1.15);
    vec3 above = mix(HORIZON, ZENITH, 0.5) * 0.80;
    vec3 bounced = vec3(0.085, 0.072, 0.055) * (0.3 + u_sun.z);
    vec3 ambient = mix(bounced, above, 0.5 + 0.5 * normal.z) * open * baked();
    return colour * (u_sun_colour * direct * mix(open, 1.0, 0.6) + ambient);
}

vec3 with_contours(vec3 colour, float height) {
    float lines = height / u_contours;
    float width = max(fwidth(lines), 1e-6);
    float away = abs(fract(lines + 0.5) - 0.5) / width;
    float index = abs(fract(lines / 5.0 + 0.5) - 0.5) * 5.0 / width < 1.0 ? 0.55 : 0.30;
    return mix(colour, vec3(0.02), index * clamp(1.3 - away, 0.0, 1.0) * clamp(0.5 / width, 0.0, 1.0));
}

#if VIEW
// The picture's colour in a studio view. reach: cells, half of what a pixel covers.
vec3 studio(vec3 normal, vec3 facing, float hollow, float height, float reach) {
#if VIEW == 4
    vec3 srgb = matcap(seen_normal(facing, normalize(v_place)), baked(), hollow);
    if (u_show_sea != 0) srgb = with_shore(srgb, height, 1.0);
#elif VIEW == 5
    vec3 srgb = by_stretch(stretch_here(v_grid, max(0.5, reach)));
    srgb *= form(seen_normal(facing, normalize(v_place)), hollow);
    if (u_show_sea != 0) srgb = with_shore(srgb, height, 0.0);
#elif VIEW == 6
    vec3 srgb = 0.5 + 0.5 * normal;
#else
    vec3 srgb = vec3(baked());
#endif
    return u_contours > 0.0 ? with_contours(srgb, height) : srgb;
}
#else
// The picture's colour in sun, haze and sea. above_eye, footprint: metres.
vec3 landscape(vec3 facing, float hollow, float above_eye, float footprint) {
    float metres = length(v_place);
    vec3 direction = v_place / metres;
    float height = above_eye - u_sea;
    vec3 colour = ground_colour(height, facing, hollow, footprint);
    if (u_contours > 0.0) colour = with_contours(colour, height);
    colour = lit(colour, facing, hollow);
    if (u_show_sea != 0) {
        if (u_sea < 0.0 && height < 0.0) {
            float share = height / above_eye;  // of the line of sight, under water
            colour = through_water(colour, share * metres, -height, daylight());
            colour = sea_surface(colour, direction, u_sea / direction.z);
        } else if (u_sea > 0.0) {
            float share = height > 0.0 ? u_sea / above_eye : 1.0;
            colour = through_water(colour, share * metres, max(-height, 0.0), daylight());
        }
    }
    return to_screen(with_haze(colour, direction, metres));
}
#endif

void main() {
#if HOLES
    if (texelFetch(u_holes, min(ivec2(v_grid), u_last - 1), 0).r > 0.5) discard;
#endif
#if ALPHA
    if (texture(u_alpha, (v_grid + 0.5) / vec2(u_last + 1)).r < 0.5) discard;
#endif
#if MASK
    float mask = mask_at(v_grid);
#endif
#if ISOLATE
    if (mask < 0.5) discard;
#endif
    float pixel = pixel_width();
    float reach = max(1.0, 0.5 * pixel);
    vec3 west = surface(v_grid - vec2(reach, 0.0)), east = surface(v_grid + vec2(reach, 0.0));
    vec3 south = surface(v_grid - vec2(0.0, reach)), north = surface(v_grid + vec2(0.0, reach));
    vec3 across = east - west, along = north - south;
    vec3 normal = cross(across, along);
    float size = length(normal);
    normal = size > 0.0 ? normal / size : vec3(0.0, 0.0, 1.0);
    // Hollow or ridge: how far the middle lies below its surroundings, near and further around, per metre of reach.
    vec3 middle = surface(v_grid);
    float span = sqrt(max(size, 1e-12));
    float hollow = 2.2 * dot(0.25 * (west + east + south + north) - middle, normal);
    float wide = 6.0 * reach;
    vec3 around = surface(v_grid - vec2(wide, 0.0)) + surface(v_grid + vec2(wide, 0.0));
    around += surface(v_grid - vec2(0.0, wide)) + surface(v_grid + vec2(0.0, wide));
    hollow = clamp((2.0 * hollow + 0.9 * dot(0.25 * around - middle, normal)) / span, -1.0, 1.0);

    // Seen from beneath, as under an overhang, the ground faces the other way.
    // A coarse triangle may turn away where the true surface does not: no specks there.
    bool front = gl_FrontFacing || dot(normal, v_place) < 0.0;
    vec3 facing = front ? normal : -normal;
    hollow = front ? hollow : -hollow;
    // The true height too, or the shore would move with the level of detail; but where cells are drawn out and twisted,
    // no farther from the triangle than its pixels allow, or the shore would not meet what is drawn.
    float slack = 2.0 * min(length(dFdx(v_place)), length(dFdy(v_place)));
    float above_eye = clamp(middle.z + u_anchor_place.z, v_place.z - slack, v_place.z + slack);
#if VIEW
    vec3 srgb = studio(normal, facing, hollow, above_eye - u_sea, 0.5 * pixel);
#else
    vec3 srgb = landscape(facing, hollow, above_eye, pixel * u_cell);
#endif
#if MASK
    srgb = with_mask(srgb, mask);
#endif
#if WIRE
    srgb = with_wire(srgb);
#endif
#if OUTLINE
    srgb = with_ants(srgb, mask);
#endif
    if (u_ring_count > 0) srgb = with_rings(srgb);
    f_colour = vec4(srgb, 1.0);
}
