import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The used part of a global that neither Node's types nor TypeScript declare. */
declare const WebAssembly: { readonly Module: new (code: Uint8Array) => object };

let compiled: object | undefined;

/**
 * The compiled code of QuickJS, which all threads of this process share. V8 drops compiled code with its last user, so
 * without this one every thread that replaces another would compile it anew (a start took 209 ms of CPU, and takes 56).
 */
export function engineCode(): object {
  compiled ??= new WebAssembly.Module(readFileSync(codeFile()));
  return compiled;
}

/** The package with the code is a dependency of quickjs-emscripten, so it is looked for from there. */
function codeFile(): string {
  return createRequire(require.resolve('quickjs-emscripten')).resolve(
    '@jitl/quickjs-wasmfile-release-sync/wasm',
  );
}
