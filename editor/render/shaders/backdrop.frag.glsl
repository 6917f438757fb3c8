// Sky, and the sea beyond the map as far as the horizon; or the grey paper behind a studio's model.

#include "light.glsl"
#include "water.glsl"

uniform vec3 u_background;  // sRGB

in vec3 v_direction;

out vec4 f_colour;

vec3 open_sea(vec3 direction) {
    if (u_sea > 0.0) {
        // The eye is under water: what comes from everywhere is scattered light, more of it from above.
        float lit = clamp(0.35 + 0.65 * direction.z, 0.0, 1.0);
        return mix(DEEP, SHALLOW, lit) * daylight() * exp(-u_sea / (4.0 * u_clarity));
    }
    float metres = u_sea / min(direction.z, -1e-6);
    return with_haze(sea_surface(DEEP * daylight(), direction, metres), direction, metres);
}

vec3 paper(vec3 direction) {
    vec3 srgb = mix(vec3(0.150, 0.155, 0.165), vec3(0.330, 0.342, 0.360), smoothstep(-0.75, 0.45, direction.z));
    // J. Jimenez (2014), "Next Generation Post Processing in Call of Duty": noise that hides the steps of 8 bits.
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    return srgb + (noise - 0.5) / 255.0;
}

void main() {
    vec3 direction = normalize(v_direction);
    if (u_sky == 2) {
        f_colour = vec4(paper(direction), 1.0);
        return;
    }
    bool water = u_show_sea != 0 && (u_sea > 0.0 || direction.z < 0.0);
    if (u_sky == 0 && !water) {
        f_colour = vec4(u_background, 1.0);
        return;
    }
    vec3 colour = water ? open_sea(direction) : sky(direction);
    f_colour = vec4(to_screen(colour), 1.0);
}
