import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadConfig } from '../../../src/settings/config';
import { createEmbedders } from '../../../src/factories/create-embedders';
import type { Embedders } from '../../../src/embeddings/embedders';
import { startModelHub, type ModelHub } from '../../support/model-hub';
import { makeTempDir, type TempDir } from '../../support/temp-dir';
import { writeTinyModel } from '../../support/tiny-model';
import { waitFor } from '../../support/wait';

const WEIGHTS = 'onnx/model_quantized.onnx';

let dir: TempDir;
let hub: ModelHub;
let opened: Embedders[];
let lines: string[];

beforeEach(async () => {
  dir = makeTempDir();
  hub = await startModelHub(writeTinyModel(join(dir.path, 'hub')).folder);
  opened = [];
  lines = [];
});

afterEach(async () => {
  await Promise.all(opened.map((embedders) => embedders.close()));
  await hub.close();
  dir.remove();
});

function open(settings: Readonly<Record<string, string>> = {}): Embedders {
  const note = (...entry: unknown[]) => void lines.push(String(entry.at(-1)));
  const config = loadConfig({
    DATA_DIR: join(dir.path, 'data'),
    MEMORY_EMBEDDING_MODEL: 'someone/tiny',
    MEMORY_EMBEDDING_HUB_URL: hub.url,
    ...settings,
  });
  const embedders = createEmbedders(config, { info: note, warn: note } as never);
  opened.push(embedders);
  return embedders;
}

const downloaded = () => join(dir.path, 'data', 'models', 'someone', 'tiny');
const partialFiles = () =>
  readdirSync(downloaded(), { recursive: true }).filter((file) => String(file).endsWith('.part'));

/** Lists the files of models, drafts included. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('.'));

test('a model of the hub is downloaded once, with a few lines on how far it is', async () => {
  hub.on(WEIGHTS, 'hold');
  const embedders = open();
  await expect(embedders.choose()).rejects.toMatchObject({
    code: 'EMBEDDER_UNAVAILABLE',
    retryable: true,
    message: expect.stringMatching(/someone\/tiny is being downloaded \(\d+ %\)/),
  });
  expect(embedders.all[0]!.status()).toEqual({ state: 'loading', progress: expect.any(Number) });
  await waitFor(
    () => {
      const status = embedders.all[0]!.status();
      return status.state === 'loading' && Math.round((status.progress ?? 0) * 100) === 50;
    },
    { what: 'half of the file' },
  );
  await expect(embedders.choose()).rejects.toThrow(/\((49|50) %\)/);

  hub.release();
  const chosen = await waitFor(() => embedders.choose(), { what: 'the download' });
  expect(chosen.identity).toEqual({ provider: 'transformers', model: 'someone/tiny', dimensions: 768 });
  expect(await chosen.embed(['alpha'])).toHaveLength(1);
  const progress = lines.filter((line) => line.includes('%'));
  expect(progress.at(-1)).toMatch(/100 %$/);
  expect(progress.length).toBeLessThanOrEqual(10);

  const asked = hub.asked.length;
  await (await open().choose()).ready();
  expect(hub.asked).toHaveLength(asked);
});

test('a download that breaks off says so, leaves no half file, and can be tried again', async () => {
  hub.on(WEIGHTS, 'break');
  const broken = open({ MEMORY_EMBEDDING_PROVIDER: 'transformers' });
  await waitFor(() => broken.all[0]!.status().state === 'failed', { what: 'the download to fail' });
  expect(broken.all[0]!.status()).toMatchObject({
    reason: expect.stringMatching(/someone\/tiny cannot be used: http\S+model_quantized\.onnx: \S+/),
  });
  expect(filesIn(join(dir.path, 'data', 'models'))).toEqual([]);

  hub.on(WEIGHTS, 'send');
  const again = open({ MEMORY_EMBEDDING_PROVIDER: 'transformers' });
  const chosen = await waitFor(() => again.choose(), { what: 'the second download' });
  await expect(chosen.embed(['alpha'])).resolves.toHaveLength(1);
});

describe('a model that is larger than MEMORY_EMBEDDING_MAX_BYTES', () => {
  const BOUND = { MEMORY_EMBEDDING_MAX_BYTES: '65536' };
  const reason = expect.stringMatching(
    /someone\/tiny .*more than 65536 bytes \(MEMORY_EMBEDDING_MAX_BYTES\)/,
  );

  test.each([
    ['by the length that the hub states', 'send'],
    ['by what arrives without a length', 'unsized'],
  ] as const)('is refused %s, leaves nothing, and is not fetched again', async (_how, behaviour) => {
    hub.on(WEIGHTS, behaviour);
    const embedders = open({ ...BOUND, MEMORY_EMBEDDING_PROVIDER: 'transformers' });
    await waitFor(() => embedders.all[0]!.status().state !== 'loading', { what: 'the end of the download' });
    expect(embedders.all[0]!.status()).toMatchObject({ state: 'failed', reason });
    expect(filesIn(join(dir.path, 'data', 'models'))).toEqual([]);
    const asked = hub.asked.length;
    await expect(embedders.choose()).rejects.toMatchObject({
      code: 'EMBEDDER_UNAVAILABLE',
      retryable: false,
      message: reason,
    });
    expect(hub.asked).toHaveLength(asked);
  });

  test('counts all of its files', async () => {
    const { size } = statSync(join(dir.path, 'hub', WEIGHTS));
    const embedders = open({ MEMORY_EMBEDDING_MAX_BYTES: String(size) });
    const chosen = await waitFor(() => embedders.choose(), { what: 'the fallback' });
    expect(chosen.identity.provider).toBe('lexical');
    expect(embedders.all[0]!.status().state).toBe('failed');
  });
});

test('of several processes one downloads, and the others wait for it', async () => {
  hub.on(WEIGHTS, 'hold');
  const all = [open(), open(), open()];
  await waitFor(() => hub.asked.some((path) => path.endsWith(WEIGHTS)), {
    what: 'the weights to be asked for',
  });
  for (const embedders of all) {
    await expect(embedders.choose()).rejects.toThrow(/someone\/tiny is being downloaded/);
  }
  hub.release();
  for (const embedders of all) {
    const chosen = await waitFor(() => embedders.choose(), { what: 'the model' });
    expect(chosen.identity.provider).toBe('transformers');
  }
  expect(hub.asked.filter((path) => path.endsWith(WEIGHTS))).toHaveLength(1);
});

test('another model is downloaded after the first, and what a killed process left goes', async () => {
  const left = join(dir.path, 'data', 'models', 'someone', 'gone', 'onnx', 'model_quantized.onnx.1.part');
  mkdirSync(dirname(left), { recursive: true });
  writeFileSync(left, 'half');
  hub.on(WEIGHTS, 'hold');
  const first = open();
  await waitFor(() => hub.asked.some((path) => path.endsWith(WEIGHTS)), { what: 'the first download' });
  expect(existsSync(left)).toBe(false);
  const second = open({ MEMORY_EMBEDDING_MODEL: 'someone/other' });
  await expect(second.choose()).rejects.toThrow(/someone\/other is being downloaded/);
  expect(hub.asked.filter((path) => path.includes('someone/other'))).toEqual([]);
  hub.on(WEIGHTS, 'send');
  hub.release();
  for (const embedders of [first, second]) {
    const chosen = await waitFor(() => embedders.choose(), { what: 'the model' });
    expect(chosen.identity.provider).toBe('transformers');
  }
});

test('a model without quantised weights is downloaded in full', async () => {
  renameSync(join(dir.path, 'hub', WEIGHTS), join(dir.path, 'hub', 'onnx/model.onnx'));
  hub.on(WEIGHTS, 'missing');
  const embedders = open();
  const chosen = await waitFor(() => embedders.choose(), { what: 'the download' });
  expect(chosen.identity.provider).toBe('transformers');
});

test('closing ends a download and leaves nothing of it', async () => {
  hub.on(WEIGHTS, 'hold');
  const embedders = open();
  await waitFor(() => existsSync(downloaded()) && partialFiles().length > 0, { what: 'the download' });
  await embedders.close();
  expect(filesIn(join(dir.path, 'data', 'models'))).toEqual([]);
});

test('where no model can be had, auto falls back to words with one loud line, and stays with it', async () => {
  hub.on('config.json', 'missing');
  const embedders = open();
  const chosen = await embedders.choose();
  expect(chosen.identity).toEqual({ provider: 'lexical', model: 'lexical-1', dimensions: 768 });
  hub.on('config.json', 'send');
  expect(await embedders.choose()).toBe(chosen);
  expect(lines.filter((line) => line.includes('NO EMBEDDING MODEL'))).toHaveLength(1);
});

test('a model that is asked for by setting is never replaced', async () => {
  hub.on('config.json', 'missing');
  const embedders = open({ MEMORY_EMBEDDING_PROVIDER: 'transformers' });
  await expect(embedders.choose()).rejects.toMatchObject({
    code: 'EMBEDDER_UNAVAILABLE',
    message: 'The embedding model someone/tiny cannot be used now; the log says why',
  });
  expect(lines.at(-1)).toMatch(/cannot be used: the hub does not have http\S+config\.json$/);
});

test('a wrong dimension is an error, and no reason to fall back', async () => {
  const folder = join(dir.path, 'local');
  cpSync(join(dir.path, 'hub'), folder, { recursive: true });
  const embedders = open({ MEMORY_EMBEDDING_MODEL: folder, MEMORY_EMBEDDING_DIMENSIONS: '384' });
  await expect(embedders.choose()).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: 'MEMORY_EMBEDDING_DIMENSIONS is 384, but the model local makes vectors of 768 dimensions',
  });
  expect(hub.asked).toEqual([]);
});

test('lexical by setting asks no hub', async () => {
  const chosen = await open({ MEMORY_EMBEDDING_PROVIDER: 'lexical' }).choose();
  expect(chosen.identity.provider).toBe('lexical');
  expect(hub.asked).toEqual([]);
});

test('the embedder of a store is found by its identity', () => {
  const embedders = open({ MEMORY_EMBEDDING_MODEL: join(dir.path, 'hub') });
  const [transformers, lexical] = embedders.all;
  expect(embedders.find({ provider: 'transformers', model: 'hub', dimensions: 768 })).toBe(transformers);
  expect(embedders.find({ provider: 'lexical', model: 'lexical-1', dimensions: 768 })).toBe(lexical);
  expect(embedders.find({ provider: 'lexical', model: 'lexical-1', dimensions: 384 })).toBeUndefined();
  expect(embedders.find({ provider: 'transformers', model: 'other', dimensions: 768 })).toBeUndefined();
});

test.each(['a/b/c', 'someone/..tiny', 'a b', 'http://x/y', '~'])(
  'a model that is neither a folder nor a name of the hub is refused: %s',
  (model) => {
    const refusal = expect.objectContaining({
      code: 'CONFIGURATION',
      message: expect.stringContaining(model),
    });
    expect(() => open({ MEMORY_EMBEDDING_MODEL: model })).toThrow(refusal);
  },
);
