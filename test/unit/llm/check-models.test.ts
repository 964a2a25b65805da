import type { Logger } from '../../../src/base/logger';
import { checkModels } from '../../../src/llm/discovery/check-models';
import { loadConfig } from '../../../src/settings/config';
import { lists, type ListServer, startListServer } from '../../support/model-lists';
import { sendJson } from '../../support/stub-peer';

let server: ListServer;
let lines: string[];
const note =
  (level: string) =>
  (about: object, text: string): void =>
    void lines.push(`${level} ${JSON.stringify(about)} ${text}`);
const logger = { info: note('info'), warn: note('warn') } as unknown as Logger;

beforeEach(() => (lines = []));
afterEach(() => server.close());

const start = async (...ids: readonly string[]): Promise<void> => {
  server = await startListServer(lists(...ids));
};
const LLAMA = 'llama3.1';

test.each<[string, string[], Record<string, string>, string, RegExp]>([
  [
    'the only one of its server',
    ['qwen3:4b', 'nomic-embed-text'],
    {},
    'qwen3:4b',
    /^info .*has the model "qwen3:4b"/,
  ],
  ['the one that is named', ['a', 'b'], { LOCAL_LLM_MODEL: 'b' }, 'b', /^info .*has the model "b"/],
  [
    'the default where the server has it',
    ['x', `${LLAMA}:latest`],
    {},
    LLAMA,
    /^info .*has the model "llama3.1"/,
  ],
  [
    'the default of several, with the names of all',
    ['a', 'b'],
    {},
    LLAMA,
    /^warn .*LOCAL_LLM_MODEL.*it has a, b$/,
  ],
  [
    'the one that is named though there is another one',
    ['a'],
    { LOCAL_LLM_MODEL: 'b' },
    'b',
    /^warn .*it has a$/,
  ],
  ['the default of a server without models', [], {}, LLAMA, /^warn .*it has no model$/],
])('the model is %s', async (_, ids, settings, model, line) => {
  await start(...ids);
  const config = loadConfig({ LOCAL_LLM_BASE_URL: `${server.url}/v1`, ...settings });
  expect((await checkModels(config, logger)).LOCAL_LLM_MODEL).toBe(model);
  expect(lines).toEqual([expect.stringMatching(line)]);
  expect(lines[0]).toContain(`"address":"${server.url}/v1"`);
});

test('each configured provider has a line, without credentials of its address', async () => {
  server = await startListServer((_request, response) => sendJson(response, 404, {}));
  const secret = server.url.replace('http://', 'http://ada:hidden-word@');
  const config = loadConfig({
    OPENAI_API_KEY: 'not-a-key',
    OPENAI_BASE_URL: `${server.url}/v1`,
    LOCAL_LLM_BASE_URL: `${secret}/v1`,
  });
  expect(await checkModels(config, logger)).toBe(config);
  expect(lines).toHaveLength(2);
  for (const provider of ['hosted', 'local'])
    expect(lines).toContainEqual(
      expect.stringMatching(new RegExp(`^warn .*"${provider}" does not answer GET /v1/models$`)),
    );
  expect(lines.join()).not.toContain('hidden-word');
});

test('without a configured provider nothing is asked or said', async () => {
  await start('a');
  const config = loadConfig({});
  expect(await checkModels(config, logger)).toBe(config);
  expect([lines, server.requests]).toEqual([[], []]);
});
