// Writes the types of packages/client from the OpenAPI documents, which it builds from the compiled sources (`npm run build`).
// With `--check` it changes nothing, and fails if the files differ.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runMain, SetupError } from '../setup/errors.mjs';
import { installApart } from '../setup/install-apart.mjs';
import { PROJECT_ROOT } from '../setup/paths.mjs';
import { run } from '../setup/run.mjs';

const TARGET = join(PROJECT_ROOT, 'packages', 'client', 'src', 'generated');
/** A field with a default may be left out, and a schema without properties may be anything. */
const OPTIONS = ['--default-non-nullable=false', '--empty-objects-unknown', '--alphabetize'];
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

await runMain(async () => {
  const { openApiDocuments } = createRequire(import.meta.url)(
    join(PROJECT_ROOT, 'dist', 'test', 'support', 'all-routes.js'),
  );
  const documents = openApiDocuments();
  const generator = join(
    await installApart('client-generate', join(PROJECT_ROOT, 'packages', 'client', 'generate'), {
      what: 'openapi-typescript',
    }),
    'node_modules/openapi-typescript/bin/cli.js',
  );
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-client-'));
  try {
    const files = { 'keyed.ts': writeKeyed(documents.api) };
    for (const [name, document] of Object.entries(documents)) {
      const [input, output] = [join(folder, `${name}.json`), join(folder, `${name}.ts`)];
      writeFileSync(input, JSON.stringify(document));
      const { code, tail } = await run(process.execPath, [generator, input, '-o', output, ...OPTIONS]);
      if (code !== 0) throw new SetupError(`${tail}\n\nopenapi-typescript failed (code ${code}).`);
      files[`${name}.ts`] = readFileSync(output, 'utf8');
    }
    if (!process.argv.includes('--check')) write(files);
    else compare(files);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** The operations that take an `Idempotency-Key`. */
function writeKeyed({ paths }) {
  const keyed = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) =>
      item[method]?.parameters?.some(
        ({ name, in: place }) => place === 'header' && name === 'Idempotency-Key',
      ),
    ).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const lines = keyed.sort().map((operation) => `  '${operation}',`);
  return `/** The operations that take an \`Idempotency-Key\`. */\nexport const KEYED_OPERATIONS: ReadonlySet<string> = new Set([\n${lines.join('\n')}\n]);\n`;
}

function write(files) {
  mkdirSync(TARGET, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(TARGET, name), text);
}

function compare(files) {
  const changed = Object.keys(files).filter(
    (name) => readFileSync(join(TARGET, name), 'utf8') !== files[name],
  );
  if (changed.length === 0) return;
  throw new SetupError(
    `${changed.join(', ')} of packages/client/src/generated is not what the OpenAPI documents give; run \`npm run client:types\`.`,
  );
}
