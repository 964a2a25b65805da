// Takes out of node_modules what a process on this platform never loads: `node trim-packages.mjs`, beside node_modules.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = 'node_modules';
const { platform, arch } = process;
const RUST_ARCH = { x64: 'x86_64', arm64: 'aarch64' }[arch];

function remove(path) {
  if (existsSync(path)) rmSync(path, { recursive: true });
}

/** Removes the entries of a folder that `isNeeded` says no to. */
function keep(folder, isNeeded) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (!isNeeded(name)) remove(join(folder, name));
}

// Temporal's core for other systems.
keep(
  join(ROOT, '@temporalio/core-bridge/releases'),
  (name) => name === `${RUST_ARCH}-unknown-${platform}-gnu`,
);
// ONNX for other systems; for browsers only the JavaScript is loaded, and none of its WebAssembly.
const onnx = join(ROOT, 'onnxruntime-node/bin/napi-v3');
keep(onnx, (name) => name === platform);
keep(join(onnx, platform), (name) => name === arch);
keep(join(ROOT, 'onnxruntime-web/dist'), (name) => name === 'ort-web.node.js');
// Bundles of the models' library for browsers; the sources are what Node.js loads.
remove(join(ROOT, '@xenova/transformers/dist'));
// What SQLite was compiled from.
remove(join(ROOT, 'better-sqlite3/deps'));
remove(join(ROOT, 'better-sqlite3/src'));
keep(join(ROOT, 'better-sqlite3/build/Release'), (name) => name === 'better_sqlite3.node');

/** Who gives a package away may ask that these come along, whatever their ending. */
const LICENCE = /^(licen[cs]e|notice|copying)/i;

/** Maps, TypeScript and pages of packages: nobody debugs them in an image. */
function removeSources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeSources(path);
    else if (LICENCE.test(entry.name)) continue;
    else if (/\.(map|ts|mts|cts|md|markdown)$/.test(entry.name) && statSync(path).isFile()) rmSync(path);
  }
}
removeSources(ROOT);
