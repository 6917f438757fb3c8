// The rest grid's cells over the shading: their edges, and fainter their diagonals.

const float DENSEST = 3.5;  // pixels between lines below which only every 4th of them is left

// How much of a pixel the lines cover that lie at whole multiples of `every`; at: where the pixel is, in cells.
float cover(float at, float cells_a_pixel, float every) {
    float away = abs(fract(at / every + 0.5) - 0.5) * every / cells_a_pixel;
    return clamp(1.05 - away, 0.0, 1.0);
}

// Every line, or every 4th, 16th, …, whichever are far enough apart; one density fades into the next.
float grid_lines(float at) {
    float cells_a_pixel = max(length(vec2(dFdx(at), dFdy(at))), 1e-6);
    float level = max(0.5 * log2(DENSEST * cells_a_pixel) + 1.0, 0.0);
    float every = exp2(2.0 * floor(level));
    float fine = cover(at, cells_a_pixel, every) * (1.0 - smoothstep(0.5, 1.0, fract(level)));
    return max(fine, cover(at, cells_a_pixel, 4.0 * every));
}

vec3 with_wire(vec3 srgb) {
    float edges = max(grid_lines(v_grid.x), grid_lines(v_grid.y));
    float diagonals = 0.45 * grid_lines(v_grid.x - v_grid.y);
    // Dark lines on light ground, light ones on dark ground.
    float light = dot(srgb, vec3(0.30, 0.59, 0.11));
    vec3 line = mix(srgb + 0.30, srgb * 0.30, smoothstep(0.18, 0.34, light));
    return mix(srgb, line, 0.75 * max(edges, diagonals));
}
