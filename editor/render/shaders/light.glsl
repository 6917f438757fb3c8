// Sun, sky, haze and the way from linear light to the screen. Directions are unit vectors in world axes.

uniform vec3 u_sun;         // towards the sun
uniform vec3 u_sun_colour;  // linear, at the ground
uniform vec2 u_haze;        // light lost per metre, and per metre squared so that the horizon itself is air
uniform int u_sky;          // 0: a plain background, 1: sky and haze, 2: a studio's backdrop; only 1 has haze

const vec3 ZENITH = vec3(0.100, 0.235, 0.500);
const vec3 HORIZON = vec3(0.500, 0.640, 0.780);

vec3 sky(vec3 direction) {
    float height = max(direction.z, 0.0);
    float low = exp(-5.5 * height);
    vec3 colour = mix(ZENITH, HORIZON, low);
    float towards = max(dot(direction, u_sun), 0.0);
    float squared = towards * towards;
    float wide = squared * squared;
    vec3 warm = u_sun_colour * vec3(1.0, 0.86, 0.68);
    float narrow = wide * wide;
    narrow *= narrow * narrow;
    return colour + warm * ((0.05 + 0.09 * low) * wide + 0.10 * narrow);
}

// The air at the horizon in the direction looked in.
vec3 air(vec3 direction) {
    float towards = max(dot(normalize(direction.xy + vec2(1e-9)), u_sun.xy), 0.0);
    towards *= towards;
    return HORIZON + u_sun_colour * vec3(1.0, 0.86, 0.68) * (0.14 * towards * towards);
}

vec3 with_haze(vec3 colour, vec3 direction, float metres) {
    if (u_sky != 1) return colour;
    return mix(air(direction), colour, exp(-metres * (u_haze.x + metres * u_haze.y)));
}

vec3 to_screen(vec3 linear) {
    // Filmic curve of K. Narkowicz (2016), "ACES filmic tone mapping curve".
    vec3 x = linear * 0.80;
    vec3 toned = clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
    // The sRGB transfer curve to within 0.002, by roots instead of powers (I. Taylor, "sRGB approximations for HLSL").
    vec3 root = sqrt(toned);
    vec3 fourth = sqrt(root);
    return clamp(0.585122381 * root + 0.783140355 * fourth - 0.368262736 * sqrt(fourth), 0.0, 1.0);
}
