// Sun, sky, haze and the way from linear light to the screen. Directions are unit vectors in world axes.

uniform vec3 u_sun;         // towards the sun
uniform vec3 u_sun_colour;  // linear, at the ground
uniform float u_haze;       // share of light lost per metre
uniform int u_sky;          // 0: a plain background and no haze

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
    return colour + warm * (0.05 * wide + 0.09 * low * wide + 0.10 * narrow);
}

vec3 with_haze(vec3 colour, vec3 direction, float metres) {
    if (u_sky == 0) return colour;
    float kept = exp(-u_haze * metres);
    vec3 air = mix(HORIZON, sky(vec3(direction.xy, 0.04)), 0.6) * 0.92;
    return mix(air, colour, kept);
}

vec3 to_screen(vec3 linear) {
    // Filmic curve of K. Narkowicz (2016), "ACES filmic tone mapping curve"; then the sRGB transfer curve.
    vec3 x = linear * 0.82;
    vec3 toned = clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
    vec3 bright = 1.055 * pow(max(toned, vec3(1e-6)), vec3(1.0 / 2.4)) - 0.055;
    return mix(bright, 12.92 * toned, lessThan(toned, vec3(0.0031308)));
}

vec3 from_screen(vec3 srgb) {
    return mix(pow((srgb + 0.055) / 1.055, vec3(2.4)), srgb / 12.92, lessThan(srgb, vec3(0.04045)));
}
