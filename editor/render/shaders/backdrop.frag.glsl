// Sky, and the sea beyond the map as far as the horizon.

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

void main() {
    vec3 direction = normalize(v_direction);
    bool water = u_show_sea != 0 && (u_sea > 0.0 || direction.z < 0.0);
    if (u_sky == 0 && !water) {
        f_colour = vec4(u_background, 1.0);
        return;
    }
    vec3 colour = water ? open_sea(direction) : sky(direction);
    f_colour = vec4(to_screen(colour), 1.0);
}
