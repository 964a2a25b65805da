import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Embedder } from '../../../src/embeddings/embedder';
import type { TransformersOptions } from '../../../src/embeddings/transformers/transformers-embedder';
import { normalize } from '../../../src/embeddings/vectors';
import { processesNaming } from '../../support/processes';
import { makeTempDir, type TempDir } from '../../support/temp-dir';
import { writeTinyModel } from '../../support/tiny-model';
import { transformersOf } from '../../support/transformers';
import { waitFor } from '../../support/wait';

let dir: TempDir;
let folder: string;
const opened: Embedder[] = [];

beforeEach(() => {
  dir = makeTempDir();
  folder = join(dir.path, 'tiny');
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((embedder) => embedder.close()));
  expect(processesNaming(folder)).toEqual([]);
  dir.remove();
});

function open(options: Partial<TransformersOptions> = {}): Embedder {
  const embedder = transformersOf(folder, options);
  opened.push(embedder);
  return embedder;
}

const unavailable = (message: RegExp) =>
  expect.objectContaining({
    code: 'EMBEDDER_UNAVAILABLE',
    retryable: true,
    message: expect.stringMatching(message),
  });

test('a vector is the mean of the tokens, a long text cut into pieces below the limit of the model', async () => {
  const { rowOf } = writeTinyModel(folder, { positions: 42 });
  const meanOf = (tokens: string[]) => {
    const sum = new Float32Array(768);
    for (const token of tokens) rowOf(token).forEach((value, at) => (sum[at]! += value));
    return normalize(sum);
  };
  const short = ['[CLS]', 'b', '##a', 'c', '[SEP]'];
  // 90 tokens make three pieces of 30: of 42 positions 2 are reserved and 2 hold marks.
  const long = ['[CLS]', '[SEP]', '[CLS]', '[SEP]', '[CLS]', '[SEP]'].concat(
    Array(30).fill(['a', 'b', '##c']).flat(),
  );
  const vectors = await open().embed(['ba c', 'a bc '.repeat(30)]);
  for (const [at, expected] of [meanOf(short), meanOf(long)].entries()) {
    const difference = vectors[at]!.map((value, place) => Math.abs(value - expected[place]!));
    expect(Math.max(...difference)).toBeLessThan(1e-5);
  }
});

test('a killed process fails what it was doing, and the next request starts another', async () => {
  writeTinyModel(folder);
  const embedder = open();
  const before = await embedder.embed(['alpha']);
  const lost = embedder.embed(Array.from({ length: 10_000 }, (_, at) => `memory ${at}`));
  lost.catch(() => undefined);
  for (const { pid } of processesNaming(folder)) process.kill(pid, 'SIGKILL');
  await expect(lost).rejects.toEqual(unavailable(/process of the embedding model ended \(SIGKILL\)/));
  expect(embedder.status()).toEqual({ state: 'failed', reason: expect.stringContaining('SIGKILL') });
  expect(await embedder.embed(['alpha'])).toEqual(before);
});

test('a short request is not kept waiting by a long one', async () => {
  writeTinyModel(folder);
  const embedder = open();
  await embedder.ready();
  const order: string[] = [];
  const long = embedder
    .embed(Array.from({ length: 300 }, (_, at) => `memory ${at}`))
    .then(() => order.push('long'));
  const short = embedder.embed(['query']).then(() => order.push('short'));
  await Promise.all([long, short]);
  expect(order).toEqual(['short', 'long']);
});

test('what may wait is bounded', async () => {
  writeTinyModel(folder);
  const embedder = open({ maxWaiting: 100 });
  await embedder.ready();
  const texts = Array.from({ length: 100 }, (_, at) => `memory ${at}`);
  const accepted = embedder.embed(texts);
  const refused = embedder.embed(['query']);
  await expect(refused).rejects.toEqual(unavailable(/More than 100 texts/));
  await expect(accepted).resolves.toHaveLength(100);
});

test('the event loop is free while texts are embedded', async () => {
  writeTinyModel(folder);
  const embedder = open();
  await embedder.ready();
  const before = performance.eventLoopUtilization();
  await embedder.embed(Array.from({ length: 50 }, (_, at) => `memory ${at} `.repeat(200)));
  const { active, utilization } = performance.eventLoopUtilization(before);
  // The longest delay would be a sharper measure, but other programs on the machine affect it.
  expect(active).toBeLessThan(100);
  expect(utilization).toBeLessThan(0.5);
});

test.each<[string, () => void, RegExp]>([
  ['there is no folder', () => undefined, /tiny cannot be used: there is no folder \S+tiny$/],
  [
    'a file is broken',
    () => {
      writeTinyModel(folder);
      makeUnusable('tokenizer.json');
    },
    /tiny cannot be used: \S+tiny cannot be loaded: .*JSON/,
  ],
  [
    'the weights are broken',
    () => {
      writeTinyModel(folder);
      makeUnusable('onnx/model_quantized.onnx');
    },
    /tiny cannot be used: \S+tiny cannot be loaded: /,
  ],
])('where %s, the reason is told, and a later request tries again', async (_, prepare, reason) => {
  prepare();
  const embedder = open({ retryAfterMs: 0 });
  await expect(embedder.embed(['alpha'])).rejects.toEqual(
    unavailable(/tiny cannot be used now; the log says why/),
  );
  expect(embedder.status()).toEqual({ state: 'failed', reason: expect.stringMatching(reason) });
  writeTinyModel(folder);
  await expect(embedder.embed(['alpha'])).resolves.toHaveLength(1);
  expect(embedder.status()).toEqual({ state: 'ready' });
});

function makeUnusable(file: string): void {
  writeFileSync(join(folder, file), 'not what it should be');
}

test('a failed load is not repeated at every request', async () => {
  const embedder = open({ retryAfterMs: 60_000 });
  await expect(embedder.embed(['alpha'])).rejects.toEqual(unavailable(/cannot be used now/));
  writeTinyModel(folder);
  await expect(embedder.embed(['alpha'])).rejects.toEqual(unavailable(/cannot be used now/));
});

test('vectors of another length than configured are a clear error, and no process stays', async () => {
  writeTinyModel(folder, { dimensions: 32 });
  const embedder = open({ dimensions: 768 });
  await expect(embedder.embed(['alpha'])).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: expect.stringMatching(
      /MEMORY_EMBEDDING_DIMENSIONS is 768, but the model tiny makes vectors of 32 dimensions/,
    ),
  });
  expect(processesNaming(folder)).toEqual([]);
});

test('closing while the model is being loaded leaves no process', async () => {
  writeTinyModel(folder);
  const embedder = open();
  await waitFor(() => processesNaming(folder).length > 0, { what: 'the process of the model' });
  await embedder.close();
  expect(processesNaming(folder)).toEqual([]);
  await expect(embedder.embed(['alpha'])).rejects.toEqual(unavailable(/closed/));
});

test('closing rejects what waits', async () => {
  writeTinyModel(folder);
  const embedder = open();
  await embedder.ready();
  const waiting = embedder.embed(Array.from({ length: 10_000 }, (_, at) => `memory ${at}`));
  const rejected = expect(waiting).rejects.toEqual(unavailable(/being closed/));
  await embedder.close();
  await rejected;
});
