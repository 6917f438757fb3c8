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

vec3 ground_colour(float height, vec3 normal, float hollow) {
    if (u_tint == 1) return by_height(height);
    if (u_tint == 2) return by_slope(normal.z);
    if (u_tint == 3) return vec3(0.36, 0.33, 0.30);
    vec2 at = v_grid * u_cell / max(u_relief.y, 20.0);
    vec2 noise = vec2(texture(u_noise, at * 0.8).r, texture(u_noise, at * 5.1).r);
    return natural(height, normal.z, hollow, noise);
}

vec3 lit(vec3 colour, vec3 normal, float hollow) {
    float direct = max(dot(normal, u_sun), 0.0);
    float open = clamp(1.0 - 0.55 * hollow, 0.55, 1.15);
    vec3 above = mix(HORIZON, ZENITH, 0.45) * 0.85;
    vec3 bounced = vec3(0.10, 0.085, 0.065) * (0.4 + u_sun.z);
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
    float pixel = max(fwidth(away), 1e-9);
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
    vec3 bend = 0.25 * (west + east + south + north) - surface(v_grid);
    float hollow = clamp(2.2 * dot(bend, normal) / sqrt(max(size, 1e-12)) * 2.0, -1.0, 1.0);

    float metres = length(v_place);
    vec3 direction = v_place / metres;
    // Seen from beneath, as under an overhang, the ground faces the other way.
    vec3 facing = gl_FrontFacing ? normal : -normal;
    float height = v_place.z - u_sea;
    vec3 colour = ground_colour(height, facing, gl_FrontFacing ? hollow : -hollow);
    if (u_contours > 0.0) colour = with_contours(colour, height);
    colour = lit(colour, facing, gl_FrontFacing ? hollow : -hollow);

    if (u_show_sea != 0) {
        if (u_sea < 0.0 && height < 0.0) {
            float share = height / v_place.z;  // of the line of sight, under water
            colour = through_water(colour, share * metres, -height, daylight());
            colour = sea_surface(colour, direction);
        } else if (u_sea > 0.0) {
            float share = height > 0.0 ? u_sea / v_place.z : 1.0;
            colour = through_water(colour, share * metres, max(-height, 0.0), daylight());
        }
    }
    vec3 srgb = to_screen(with_haze(colour, direction, metres));
    if (u_ring_radius > 0.0) srgb = with_ring(srgb);
    f_colour = vec4(srgb, 1.0);
}
