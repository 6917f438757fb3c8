// Prints the Khronos validator's report of one file as JSON: node validate_gltf.mjs PACKAGE_FOLDER FILE.glb
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [folder, file] = process.argv.slice(2);
const validator = createRequire(resolve(folder) + "/")("gltf-validator");
const report = await validator.validateBytes(new Uint8Array(readFileSync(file)));
console.log(JSON.stringify(report.issues));
