import type { Logger } from '../../../src/base/logger';
import { createProviders } from '../../../src/factories/create-providers';
import { reachModel } from '../../../src/llm/discovery/reach-model';
import { type Config, loadConfig } from '../../../src/settings/config';
import { lists, type ListServer, startListServer } from '../../support/model-lists';
import { sendJson } from '../../support/stub-peer';
import { context, HELLO } from './harness';

let server: ListServer;
let lines: string[];
const note =
  (level: string) =>
  (text: string): void =>
    void lines.push(`${level}: ${text}`);
const logger = { info: note('info'), warn: note('warn') } as unknown as Logger;

beforeEach(() => (lines = []));
afterEach(() => server.close());

async function start(...ids: readonly string[]): Promise<void> {
  server = await startListServer((request, response) => {
    if (request.method === 'GET') return lists(...ids)(request, response);
    const message = { role: 'assistant', content: 'Hello, Dana' };
    return sendJson(response, 200, { choices: [{ index: 0, finish_reason: 'stop', message }] });
  });
}

/** Looks at the port of the server alone, with these settings. */
async function reach(
  env: Record<string, string>,
  { atTerminal = false } = {},
): Promise<{ given: Config; reached: Config }> {
  const given = loadConfig(env);
  const reached = await reachModel(given, { logger, atTerminal, ports: [server.port] });
  return { given, reached };
}

test('a person at a terminal learns in one line how to use a server, which is not used', async () => {
  await start('nomic-embed-text', 'llama3.1:8b', 'qwen3:4b');
  const { given, reached } = await reach({}, { atTerminal: true });
  expect(reached).toBe(given);
  expect(lines).toEqual([
    `info: a model server answers at ${server.url}/v1 with llama3.1:8b, qwen3:4b; to use it, set ` +
      `LOCAL_LLM_BASE_URL=${server.url}/v1 LOCAL_LLM_MODEL=llama3.1:8b, or LLM_DISCOVER=yes`,
  ]);
});

test('a model whose id has spaces is quoted in the settings to set', async () => {
  await start('/opt/My Models/gemma.gguf');
  await reach({}, { atTerminal: true });
  expect(lines[0]).toContain("LOCAL_LLM_MODEL='/opt/My Models/gemma.gguf',");
});

test('LLM_DISCOVER=yes uses the first model that can chat, and says which', async () => {
  await start('nomic-embed-text', 'llama3.1:8b', 'qwen3:4b');
  const { given, reached } = await reach({ LLM_DISCOVER: 'yes' });
  const found = { LOCAL_LLM_BASE_URL: `${server.url}/v1`, LOCAL_LLM_MODEL: 'llama3.1:8b' };
  expect(reached).toEqual({ ...given, ...found, LOCAL_LLM_API_KEY: undefined });
  expect(Object.isFrozen(reached)).toBe(true);
  expect(lines).toEqual([
    `info: LLM_DISCOVER: llama3.1:8b of the model server at ${server.url}/v1 is used; it has llama3.1:8b, qwen3:4b`,
  ]);
});

test('what a user says goes to the server that was found, without a key', async () => {
  await start('qwen3:4b');
  const { reached } = await reach({ LLM_DISCOVER: 'yes', LOCAL_LLM_API_KEY: 'for-another-server' });
  const { provider, model } = createProviders(reached, undefined).resolve();
  const { content } = await provider.chat(HELLO, context());
  expect({ name: provider.name, model, content }).toEqual({
    name: 'local',
    model: 'qwen3:4b',
    content: 'Hello, Dana',
  });
  const { path, body, headers } = server.requests.at(-1)!;
  expect({ path, model: JSON.parse(body).model }).toEqual({
    path: '/v1/chat/completions',
    model: 'qwen3:4b',
  });
  expect(JSON.stringify(headers)).not.toContain('for-another-server');
});

test('LOCAL_LLM_MODEL is used where the server has it', async () => {
  await start('llama3.1:8b', 'qwen3:4b');
  const settings = { LLM_DISCOVER: 'yes', LOCAL_LLM_MODEL: 'qwen3:4b' };
  expect((await reach(settings)).reached.LOCAL_LLM_MODEL).toBe('qwen3:4b');
  expect((await reach({ ...settings, LOCAL_LLM_MODEL: 'phi4' })).reached.LOCAL_LLM_MODEL).toBe('llama3.1:8b');
});

test.each<[string, Record<string, string>, boolean]>([
  ['no terminal', {}, false],
  ['no terminal, and LLM_DISCOVER=no', { LLM_DISCOVER: 'no' }, false],
  ['a service that others reach', { HOST: '0.0.0.0' }, true],
  ['a hosted model', { LLM_DISCOVER: 'yes', OPENAI_API_KEY: 'sk-1' }, true],
  ['a local model', { LLM_DISCOVER: 'yes', LOCAL_LLM_BASE_URL: 'http://127.0.0.1:1/v1' }, true],
  ['a provider of choice', { LLM_DISCOVER: 'yes', LLM_PROVIDER: 'builtin' }, true],
])('with %s no port is asked', async (_what, env, atTerminal) => {
  await start('qwen3:4b');
  const { given, reached } = await reach(env, { atTerminal });
  expect(reached).toBe(given);
  expect({ requests: server.requests, lines }).toEqual({ requests: [], lines: [] });
});

test.each(['PORT', 'RECORDS_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT'])(
  'a port that %s has is not asked',
  async (setting) => {
    await start('qwen3:4b');
    await reach({ LLM_DISCOVER: 'yes', [setting]: String(server.port) });
    expect(server.requests).toEqual([]);
  },
);

test('where no server is found, a terminal shows nothing, and LLM_DISCOVER=yes a warning with the ports', async () => {
  await start('nomic-embed-text');
  await reach({}, { atTerminal: true });
  expect(lines).toEqual([]);
  const { given, reached } = await reach({ LLM_DISCOVER: 'yes' });
  expect(reached).toBe(given);
  expect(lines).toEqual([`warn: LLM_DISCOVER: no model server answers on this machine at ${server.port}`]);
});

test('many long names make one line of bounded length', async () => {
  const id = (n: number): string => `${'long'.repeat(45)}-${n}`;
  await start(...Array.from({ length: 200 }, (_, n) => id(n)), 'a\u001b[2Jb');
  await reach({}, { atTerminal: true });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`${id(4)} and 195 more; to use it`);
  expect(lines[0]!.length).toBeLessThan(2_000);
  expect(lines[0]).not.toMatch(/\p{Cc}/u);
});
