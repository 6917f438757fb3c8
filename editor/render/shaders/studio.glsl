// Views for sculptors: the form, or a measure of it, without sun, haze and sea. All colours here are sRGB.

uniform mat3 u_rotation;  // world to camera axes

const vec3 CLAY = vec3(0.440, 0.335, 0.270);  // linear
const vec3 KEY = normalize(vec3(-0.70, 0.36, 0.62));
const vec3 RIM = normalize(vec3(0.80, 0.30, -0.20));

// A normal as seen along `direction`: z towards the eye, y up in the picture.
// T. Duff et al. (2017), "Building an Orthonormal Basis, Revisited", applied to the way to the eye.
vec3 seen_normal(vec3 normal, vec3 direction) {
    vec3 n = u_rotation * normal, eye = -(u_rotation * direction);
    float a = 1.0 / (1.0 + eye.z), b = -eye.x * eye.y * a;
    vec3 right = vec3(1.0 - eye.x * eye.x * a, b, -eye.x), up = vec3(b, 1.0 - eye.y * eye.y * a, -eye.y);
    return vec3(dot(n, right), dot(n, up), dot(n, eye));
}

// Light on a sphere of clay: a warm key over the left shoulder, a cool rim from behind, soft ground from below.
// open: the share of the surroundings that reaches the place; hollow: > 0 in creases, < 0 on edges.
vec3 matcap(vec3 n, float open, float hollow) {
    float key = clamp((dot(n, KEY) + 0.16) / 1.16, 0.0, 1.0);
    float away = 1.0 - clamp(n.z, 0.0, 1.0);
    float rim = away * away * away * smoothstep(-0.25, 0.85, dot(n, RIM));
    vec3 around = mix(vec3(0.125, 0.088, 0.070), vec3(0.098, 0.122, 0.165), smoothstep(-0.9, 0.9, n.y));
    vec3 light = vec3(1.12, 0.98, 0.80) * key * key + around * open;
    float gloss = pow(max(dot(n, normalize(KEY + vec3(0.0, 0.0, 1.0))), 0.0), 30.0);
    vec3 colour = CLAY * light * (1.0 - 0.70 * hollow);
    colour += vec3(0.085, 0.075, 0.060) * gloss + vec3(0.16, 0.25, 0.36) * (rim * mix(0.4, 1.0, open));
    return to_screen(colour);
}

// Larger singular value of the map from the rest grid to the world, at the scale of one cell or a pixel.
float stretch_here(vec2 grid, float reach) {
    vec2 low = max(grid - reach, vec2(0.0)), high = min(grid + reach, vec2(u_last));
    vec2 size = 1.0 / vec2(u_last + 1);
    vec3 across = texture(u_offset, vec2(high.x + 0.5, grid.y + 0.5) * size).xyz;
    across -= texture(u_offset, vec2(low.x + 0.5, grid.y + 0.5) * size).xyz;
    vec3 along = texture(u_offset, vec2(grid.x + 0.5, high.y + 0.5) * size).xyz;
    along -= texture(u_offset, vec2(grid.x + 0.5, low.y + 0.5) * size).xyz;
    across = across / ((high.x - low.x) * u_cell) + vec3(1.0, 0.0, 0.0);
    along = along / ((high.y - low.y) * u_cell) + vec3(0.0, 1.0, 0.0);
    float a = dot(across, across), b = dot(across, along), c = dot(along, along);
    return sqrt(0.5 * (a + c) + sqrt(0.25 * (a - c) * (a - c) + b * b));
}

// Blue where cells are squeezed, grey where they are as they were, yellow at twice, red from four times their length.
vec3 by_stretch(float stretch) {
    float t = log2(max(stretch, 1e-6));
    vec3 colour = mix(vec3(0.700), vec3(0.985, 0.840, 0.240), smoothstep(0.0, 1.0, t));
    colour = mix(colour, vec3(0.930, 0.440, 0.130), smoothstep(1.0, 1.5, t));
    colour = mix(colour, vec3(0.800, 0.075, 0.095), smoothstep(1.5, 2.0, t));
    return mix(colour, vec3(0.180, 0.400, 0.880), smoothstep(0.0, 1.0, -t));
}

// Enough shading, the same for all colours, that a measure lies on a form.
float form(vec3 n, float hollow) {
    return (0.66 + 0.34 * clamp((dot(n, KEY) + 0.3) / 1.3, 0.0, 1.0)) * (1.0 - 0.16 * hollow);
}

// What lies under the sea, and a line along the shore.
vec3 with_shore(vec3 srgb, float height, float wet) {
    float pixel = clamp(fwidth(height), 1e-6, 1e6);
    float under = clamp(0.5 - height / pixel, 0.0, 1.0) * wet;
    srgb = mix(srgb, srgb * vec3(0.50, 0.72, 0.86), under);
    float line = clamp(1.2 - abs(height) / pixel, 0.0, 1.0);
    return mix(srgb, vec3(0.62, 0.90, 0.98), 0.75 * line);
}
