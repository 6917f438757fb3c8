// A still sea: light lost on its way through the water, and the sky mirrored in the plane.

uniform float u_sea;      // height of the sea above the eye (negative below it)
uniform float u_clarity;  // metres of water through which the ground is well seen
uniform int u_show_sea;
uniform sampler2D u_noise;
uniform vec2 u_noise_place;   // where the eye is in the repeating pattern
uniform float u_noise_scale;  // patterns per metre

const vec3 ABSORBED = vec3(1.55, 0.42, 0.30);      // per clarity; red is lost first
const vec3 SHALLOW = vec3(0.020, 0.235, 0.245);    // what scatters back from a little water
const vec3 DEEP = vec3(0.004, 0.040, 0.082);

// Ground colour as seen through `path` metres of water of which `depth` lies above it.
vec3 through_water(vec3 ground, float path, float depth, vec3 sunlight) {
    float lit = path + depth;
    vec3 kept = exp(-ABSORBED * (lit / u_clarity));
    float thick = 1.0 - exp(-1.1 * depth / u_clarity);
    vec3 scattered = mix(SHALLOW, DEEP, thick) * sunlight;
    float share = 1.0 - exp(-1.1 * lit / u_clarity);
    return ground * kept + scattered * share;
}

vec3 daylight() {
    return 0.42 + 0.55 * u_sun_colour * max(u_sun.z, 0.0);
}

// The surface itself over what is seen below it; `direction` goes from the eye to the sea, `metres` of it.
vec3 sea_surface(vec3 below, vec3 direction, float metres) {
    float cosine = clamp(-direction.z, 0.0, 1.0);
    float grazing = 1.0 - cosine;
    float squared = grazing * grazing;
    // Wind roughens patches of a still sea; seen from far away they run together.
    vec2 at = u_noise_place + direction.xy * metres * u_noise_scale;
    float ruffle = texture(u_noise, at).r + texture(u_noise, at.yx * 3.7).r - 1.0;
    ruffle *= exp(-metres * u_noise_scale * 0.35);
    // Schlick's approximation for water, held down near grazing as small waves would.
    float mirrored = (0.02 + 0.62 * squared * squared * grazing) * (1.0 + 0.22 * ruffle);
    vec3 up = vec3(direction.xy, cosine + 0.06 + 0.03 * ruffle);
    vec3 reflected = sky(normalize(up));
    vec3 half_way = normalize(u_sun - direction);
    float glint = pow(max(half_way.z, 0.0), 110.0) * (1.0 + 0.7 * ruffle);
    return mix(below * (1.0 + 0.05 * ruffle), reflected, mirrored) + u_sun_colour * max(glint, 0.0) * 0.32;
}
