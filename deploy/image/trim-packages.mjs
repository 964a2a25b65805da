// `node trim-packages.mjs`, run beside node_modules, removes from it all files that a process on this platform never
// loads.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = 'node_modules';
const { platform, arch } = process;
const RUST_ARCH = { x64: 'x86_64', arm64: 'aarch64' }[arch];

function remove(path) {
  if (existsSync(path)) rmSync(path, { recursive: true });
}

/** Removes the entries of a folder for which `isNeeded` returns false. */
function keep(folder, isNeeded) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (!isNeeded(name)) remove(join(folder, name));
}

// Builds of Temporal's core for other systems are removed.
keep(
  join(ROOT, '@temporalio/core-bridge/releases'),
  (name) => name === `${RUST_ARCH}-unknown-${platform}-gnu`,
);
// ONNX for other systems is removed. Of ONNX for browsers only one JavaScript file is loaded, and none of its
// WebAssembly.
const onnx = join(ROOT, 'onnxruntime-node/bin/napi-v3');
keep(onnx, (name) => name === platform);
keep(join(onnx, platform), (name) => name === arch);
keep(join(ROOT, 'onnxruntime-web/dist'), (name) => name === 'ort-web.node.js');
// The bundles of the models' library are for browsers, while Node.js loads its sources.
remove(join(ROOT, '@xenova/transformers/dist'));
// The sources of SQLite are not needed after compiling.
remove(join(ROOT, 'better-sqlite3/deps'));
remove(join(ROOT, 'better-sqlite3/src'));
keep(join(ROOT, 'better-sqlite3/build/Release'), (name) => name === 'better_sqlite3.node');

// The client is for callers, and the console is served from dist.
for (const name of ['holdfast-client', 'holdfast-console', 'openapi-fetch', 'openapi-typescript-helpers'])
  remove(join(ROOT, name));

/** Files that a licence may require to be distributed with the package. They stay, whatever their extension. */
const LICENCE = /^(licen[cs]e|notice|copying)/i;

/** Removes source maps, TypeScript and documents of packages, because packages are not debugged inside the image. */
function removeSources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeSources(path);
    else if (LICENCE.test(entry.name)) continue;
    else if (/\.(map|ts|mts|cts|md|markdown)$/.test(entry.name) && statSync(path).isFile()) rmSync(path);
  }
}
removeSources(ROOT);
