// Ground colours, linear reflectance.

uniform int u_tint;       // 0 natural, 1 height, 2 slope, 3 clay; those above are views compiled apart
uniform vec2 u_relief;    // metres: greatest depth below and greatest height above the sea

const vec3 SAND = vec3(0.470, 0.385, 0.260);
const vec3 WET_SAND = vec3(0.235, 0.180, 0.110);
const vec3 GRASS = vec3(0.080, 0.112, 0.034);
const vec3 DRY_GRASS = vec3(0.185, 0.168, 0.070);
const vec3 FOREST = vec3(0.030, 0.052, 0.019);
const vec3 HEATH = vec3(0.150, 0.122, 0.064);
const vec3 ROCK = vec3(0.190, 0.174, 0.150);
const vec3 DARK_ROCK = vec3(0.098, 0.088, 0.078);
const vec3 SCREE = vec3(0.330, 0.312, 0.285);
const vec3 SNOW = vec3(0.800, 0.830, 0.870);
const vec3 SEABED = vec3(0.270, 0.250, 0.170);
const vec3 WEED = vec3(0.070, 0.085, 0.048);
const vec3 ABYSS = vec3(0.120, 0.125, 0.115);

// height: metres above the sea; up: z of the normal; hollow: > 0 in gullies, < 0 on ridges; noise: two octaves 0..1.
vec3 natural(float height, float up, float hollow, vec2 noise) {
    float rough = noise.x * 0.65 + noise.y * 0.35 - 0.5;
    float beach = clamp(0.022 * u_relief.y, 0.8, 5.0);
    float t = height / max(u_relief.y, 1e-3);
    vec3 rock = mix(DARK_ROCK, ROCK, clamp(0.55 + 1.6 * rough - 0.8 * hollow, 0.0, 1.0));
    // Beds of rock, bent a little.
    rock *= 1.0 + 0.10 * sin(height * (170.0 / max(u_relief.y, 20.0)) + 11.0 * rough);
    float cliff = smoothstep(0.80, 0.66, up + 0.16 * rough);
    if (height < 0.0) {
        float deep = clamp(-height / max(u_relief.x, 1e-3), 0.0, 1.0);
        vec3 bed = mix(SAND * 0.9, SEABED, smoothstep(0.0, 0.22, deep));
        bed = mix(bed, WEED, 0.75 * smoothstep(0.05, 0.30, rough) * smoothstep(0.02, 0.10, deep));
        bed = mix(bed, ABYSS, smoothstep(0.3, 0.9, deep));
        return mix(bed, rock * 0.7, cliff);
    }
    vec3 low = mix(GRASS, DRY_GRASS, clamp(0.5 + 2.0 * rough - 1.2 * hollow, 0.0, 1.0));
    float wooded = smoothstep(-0.10, 0.14, rough + 0.5 * hollow) * smoothstep(0.05, 0.12, t) * smoothstep(0.62, 0.40, t);
    vec3 ground = mix(low, FOREST, 0.85 * wooded * smoothstep(0.74, 0.86, up));
    ground = mix(ground, HEATH, smoothstep(0.38, 0.62, t + 0.30 * rough));
    ground = mix(ground, SCREE, smoothstep(0.66, 0.90, t + 0.22 * rough) * 0.8);
    ground = mix(ground, rock, cliff);
    float snow_line = max(0.80 * u_relief.y, 1300.0);
    float snow = smoothstep(snow_line * 0.92, snow_line * 1.04, height + snow_line * 0.16 * rough);
    ground = mix(ground, SNOW, snow * smoothstep(0.50, 0.68, up));
    float sand = smoothstep(beach * 1.6, beach * 0.7, height + beach * 1.2 * rough) * smoothstep(0.80, 0.93, up);
    ground = mix(ground, SAND, sand);
    return mix(mix(ground, WET_SAND, 0.6), ground, smoothstep(0.0, 0.28 * beach, height));
}

vec3 by_height(float height) {
    // A hypsometric ramp: blues below the sea; green, ochre, brown and white above.
    if (height < 0.0) {
        float deep = clamp(-height / max(u_relief.x, 1e-3), 0.0, 1.0);
        return mix(vec3(0.330, 0.560, 0.640), vec3(0.020, 0.060, 0.190), sqrt(deep));
    }
    float t = clamp(height / max(u_relief.y, 1e-3), 0.0, 1.0) * 4.0;
    vec3 colour = mix(vec3(0.120, 0.260, 0.090), vec3(0.330, 0.420, 0.130), clamp(t, 0.0, 1.0));
    colour = mix(colour, vec3(0.600, 0.480, 0.200), clamp(t - 1.0, 0.0, 1.0));
    colour = mix(colour, vec3(0.330, 0.180, 0.100), clamp(t - 2.0, 0.0, 1.0));
    return mix(colour, vec3(0.780), clamp(t - 3.0, 0.0, 1.0));
}

vec3 by_slope(float up) {
    float degrees_up = degrees(acos(clamp(up, -1.0, 1.0)));
    vec3 colour = mix(vec3(0.060, 0.200, 0.110), vec3(0.420, 0.420, 0.090), clamp(degrees_up / 25.0, 0.0, 1.0));
    colour = mix(colour, vec3(0.560, 0.150, 0.035), clamp((degrees_up - 25.0) / 20.0, 0.0, 1.0));
    colour = mix(colour, vec3(0.280, 0.030, 0.070), clamp((degrees_up - 45.0) / 45.0, 0.0, 1.0));
    return mix(colour, vec3(0.170, 0.060, 0.330), clamp((degrees_up - 90.0) / 30.0, 0.0, 1.0));
}
