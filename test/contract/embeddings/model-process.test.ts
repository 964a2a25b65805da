import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve, join } from 'node:path';
import { processesNaming } from '../../support/processes';
import { makeTempDir } from '../../support/temp-dir';
import { writeTinyModel } from '../../support/tiny-model';
import { waitFor } from '../../support/wait';

const LIBRARY = resolve(__dirname, '../../../dist/src/factories/create-embedders');

/** A program that embeds a text, reports that, and then does what `then` says. */
function program(folder: string, then: string): string {
  return `
    const { createEmbedders } = require(${JSON.stringify(LIBRARY)});
    const embedders = createEmbedders({
      DATA_DIR: ${JSON.stringify(folder)},
      MEMORY_EMBEDDING_PROVIDER: 'transformers',
      MEMORY_EMBEDDING_MODEL: ${JSON.stringify(folder)},
      MEMORY_EMBEDDING_DIMENSIONS: 768,
      MEMORY_EMBEDDING_CACHE_ENTRIES: 10,
      MEMORY_EMBEDDING_CACHE_BYTES: 100_000,
    }, { info() {}, warn() {} });
    embedders.choose().then((embedder) => embedder.embed(['alpha'])).then(() => { console.log('done'); ${then} });
  `;
}

test.each([
  ['has nothing left to do', ''],
  ['is killed', 'setInterval(() => {}, 1000); process.kill(process.pid, "SIGKILL");'],
  ['exits at work', 'embedders.all[0].embed(Array(1000).fill("a b c")); process.exit(0);'],
])('the process of the model ends with a parent that %s', async (_, then) => {
  const dir = makeTempDir();
  const { folder } = writeTinyModel(join(dir.path, 'tiny'));
  const parent = spawn(process.execPath, ['-e', program(folder, then)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  parent.stdout.on('data', (text: Buffer) => (output += text.toString()));
  await once(parent, 'exit');
  expect(output).toBe('done\n');
  await waitFor(() => processesNaming(folder).length === 0, { what: 'the process of the model to end' });
  dir.remove();
});
