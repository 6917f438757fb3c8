// Lights and colours the true displaced surface, whatever level of detail carries it.

#include "field.glsl"
#include "light.glsl"
#include "water.glsl"
#include "tint.glsl"

uniform vec3 u_ring;         // centre of the brush, relative to the eye
uniform float u_ring_radius; // 0: no brush
uniform vec3 u_ring_colour;  // sRGB
uniform float u_contours;    // metres between lines; 0: none
#if HOLES
uniform sampler2D u_holes;
#endif
#if ALPHA
uniform sampler2D u_alpha;
#endif

in vec2 v_grid;
in vec3 v_place;

out vec4 f_colour;

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

vec3 lit(vec3 colour, vec3 normal, float hollow) {
    float direct = max(dot(normal, u_sun), 0.0);
    float open = clamp(1.0 - 0.50 * hollow, 0.60, 1.15);
    vec3 above = mix(HORIZON, ZENITH, 0.5) * 0.80;
    vec3 bounced = vec3(0.085, 0.072, 0.055) * (0.3 + u_sun.z);
    vec3 ambient = mix(bounced, above, 0.5 + 0.5 * normal.z) * open;
    return colour * (u_sun_colour * direct * mix(open, 1.0, 0.6) + ambient);
}

vec3 with_contours(vec3 colour, float height) {
    float lines = height / u_contours;
    float width = max(fwidth(lines), 1e-6);
    float away = abs(fract(lines + 0.5) - 0.5) / width;
    float index = abs(fract(lines / 5.0 + 0.5) - 0.5) * 5.0 / width < 1.0 ? 0.55 : 0.30;
    return mix(colour, vec3(0.02), index * clamp(1.3 - away, 0.0, 1.0) * clamp(0.5 / width, 0.0, 1.0));
}

vec3 with_ring(vec3 srgb) {
    float away = length(v_place - u_ring);
    // Across a silhouette the derivative leaps; unbounded, it would paint stray pixels far from the ring.
    float pixel = clamp(fwidth(away), 1e-9, 0.2 * u_ring_radius);
    float line = clamp(1.5 - abs(away - u_ring_radius) / pixel, 0.0, 1.0);
    float shade = clamp(3.0 - abs(away - u_ring_radius) / pixel, 0.0, 1.0);
    float dot_mark = clamp(3.0 - away / pixel, 0.0, 1.0);
    float share = away / u_ring_radius;
    float fill = share < 1.0 ? 0.10 * (1.0 - share * share) : 0.0;
    srgb = mix(srgb, u_ring_colour, fill);
    srgb = mix(srgb, srgb * 0.45, 0.6 * shade);
    return mix(srgb, u_ring_colour, max(line, 0.9 * dot_mark));
}

void main() {
#if HOLES
    if (texelFetch(u_holes, min(ivec2(v_grid), u_last - 1), 0).r > 0.5) discard;
#endif
#if ALPHA
    if (texture(u_alpha, (v_grid + 0.5) / vec2(u_last + 1)).r < 0.5) discard;
#endif
    vec2 stretch = fwidth(v_grid);
    float reach = max(1.0, 0.5 * max(stretch.x, stretch.y));
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

    float metres = length(v_place);
    vec3 direction = v_place / metres;
    // Seen from beneath, as under an overhang, the ground faces the other way.
    vec3 facing = gl_FrontFacing ? normal : -normal;
    hollow = gl_FrontFacing ? hollow : -hollow;
    // The true height too, or the shore would move with the level of detail.
    float above_eye = middle.z + u_anchor_place.z;
    float height = above_eye - u_sea;
    vec3 colour = ground_colour(height, facing, hollow, max(stretch.x, stretch.y) * u_cell);
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
    vec3 srgb = to_screen(with_haze(colour, direction, metres));
    if (u_ring_radius > 0.0) srgb = with_ring(srgb);
    f_colour = vec4(srgb, 1.0);
}
