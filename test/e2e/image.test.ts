import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { performDockerfile, type PerformedImage } from '../support/dockerfile';
import { get, post } from '../support/http';
import { LEXICAL } from '../support/memories';
import { spawnPart } from '../support/process';
import { isolatedSettings } from '../support/service';
import { makeTempDir, type TempDir } from '../support/temp-dir';

jest.setTimeout(600_000);

// Compiling everything takes half a minute of a core, and much longer on a busy machine.
let folder: TempDir;
let image: PerformedImage;
beforeAll(() => {
  folder = makeTempDir();
  image = performDockerfile(folder.path);
}, 600_000);
afterAll(() => folder.remove());

test('the API of the image starts, and reads a sentence by the rules', async () => {
  expect(image.command).toEqual(['dist/bin/api.js']);
  const own = { ...isolatedSettings(join(folder.path, 'data')), HOST: '127.0.0.1', ...LEXICAL };
  const api = spawnPart('api', { ...image.environment, ...own }, { root: image.path });
  try {
    const url = String((await api.line('the API is listening'))['url']);
    expect((await get(`${url}/livez`)).status).toBe(200);
    expect((await post(`${url}/api/intent-classifier/initialize`, {})).status).toBe(200);
    const options = { userId: 'u', sessionId: 's' };
    const { status, body } = await post(`${url}/api/intent-classifier/classify`, {
      query: 'what is 6 times 7',
      options,
    });
    expect([status, body.data.intent.type, body.data.metadata.modelUsed]).toEqual([
      200,
      'tool_execution',
      'builtin',
    ]);
    expect(api.lines.filter(({ msg }) => msg.includes('not installed'))).toEqual([]);
  } finally {
    await api.stop();
  }
});

test('it has what runs: no sources, no tests, no training, no development packages', () => {
  expect(readdirSync(image.path).sort()).toEqual(
    ['LICENSE', 'dist', 'healthcheck.mjs', 'node_modules', 'package.json', 'packages'].sort(),
  );
  const english = join(image.path, 'packages/plain-english');
  expect(readdirSync(english).sort()).toEqual(['dist', 'package.json']);
  expect(readdirSync(join(english, 'dist')).filter((name) => !name.startsWith('.'))).toEqual(['src']);
  for (const tests of ['dist/test', 'dist/packages/records/test'])
    expect([tests, existsSync(join(image.path, tests))]).toEqual([tests, false]);
  for (const name of ['typescript', 'jest', 'fast-check'])
    expect([name, existsSync(join(image.path, 'node_modules', name))]).toEqual([name, false]);
});
