// Rings where the brush, and what symmetry makes of it, would act.

const int MOST_RINGS = 16;

uniform int u_ring_count;
uniform sampler2D u_rings;  // a column a ring: row 0 its centre, relative to the eye, and radius; row 1 sRGB and strength

vec3 with_ring(vec3 srgb, int index) {
    vec4 ring = texelFetch(u_rings, ivec2(index, 0), 0);
    float away = length(v_place - ring.xyz);
    // Across a silhouette the derivative leaps; unbounded, it would paint stray pixels far from the ring.
    float pixel = clamp(fwidth(away), 1e-9, 0.2 * ring.w);
    if (away > ring.w + 3.0 * pixel) return srgb;
    vec4 look = texelFetch(u_rings, ivec2(index, 1), 0);
    float line = clamp(1.5 - abs(away - ring.w) / pixel, 0.0, 1.0);
    float shade = clamp(3.0 - abs(away - ring.w) / pixel, 0.0, 1.0);
    float dot_mark = clamp(3.0 - away / pixel, 0.0, 1.0);
    float share = away / ring.w;
    float fill = share < 1.0 ? 0.10 * (1.0 - share * share) : 0.0;
    srgb = mix(srgb, look.rgb, look.a * fill);
    srgb = mix(srgb, srgb * 0.45, look.a * 0.6 * shade);
    return mix(srgb, look.rgb, look.a * max(line, 0.9 * dot_mark));
}

vec3 with_rings(vec3 srgb) {
    // The brush's own ring comes first and lies over the others.
    for (int i = min(u_ring_count, MOST_RINGS) - 1; i >= 0; i--) {
        srgb = with_ring(srgb, i);
    }
    return srgb;
}
