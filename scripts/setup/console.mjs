import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from './errors.mjs';

export const CONSOLE = 'packages/console';
/** The folders whose sources are in the bundle: the console is built on the client. */
export const CONSOLE_SOURCES = [`${CONSOLE}/src`, 'packages/client/src'];

/**
 * Bundles the console into dist/console: `index.html`, and in `assets` one script and one style sheet, whose names have the hashes
 * of their contents. A package that was removed is left out. Types are checked by the static checks.
 *
 * @param {string} root
 */
export async function bundleConsole(root) {
  const target = join(root, 'dist', 'console');
  rmSync(target, { recursive: true, force: true });
  const source = join(root, CONSOLE, 'src');
  if (!existsSync(source)) return;
  // It is loaded here, because the set-up runs before the packages are installed.
  const { buildSync } = await import('esbuild');
  const assets = join(target, 'assets');
  mkdirSync(assets, { recursive: true });
  let result;
  try {
    result = buildSync({
      entryPoints: [{ in: join(source, 'main.tsx'), out: 'console' }],
      outdir: assets,
      entryNames: '[name]-[hash]',
      tsconfig: join(root, CONSOLE, 'tsconfig.json'),
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      legalComments: 'none',
      metafile: true,
      logLevel: 'silent',
    });
  } catch (error) {
    throw new SetupError(`${error.message}\n\nBundling the console failed (above).`);
  }
  const names = Object.keys(result.metafile.outputs).map((path) => path.split('/').pop());
  let html = readFileSync(join(source, 'index.html'), 'utf8');
  for (const extension of ['js', 'css']) {
    const name = names.find((each) => each.endsWith(`.${extension}`));
    html = html.replace(`assets/console.${extension}`, `assets/${name}`);
  }
  writeFileSync(join(target, 'index.html'), html);
}
