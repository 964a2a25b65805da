import { join } from 'node:path';
import { lists, type ListServer, startListServer } from '../support/model-lists';
import { type Service, startService } from '../support/service';
import { sendJson } from '../support/stub-peer';

const PRELOAD = join(__dirname, '..', 'support', 'model-port.cjs');

let server: ListServer;
let service: Service;

beforeAll(async () => {
  server = await startListServer((request, response) => {
    if (request.method === 'GET') return lists('nomic-embed-text', 'llama3.1:8b')(request, response);
    const message = { role: 'assistant', content: 'It is six' };
    return sendJson(response, 200, { choices: [{ index: 0, finish_reason: 'stop', message }] });
  });
});
afterEach(() => service.stop());
afterAll(() => server.close());

function start(env: Record<string, string>): Promise<Service> {
  return startService({ NODE_OPTIONS: `--require ${PRELOAD}`, MODEL_PORT: String(server.port), ...env });
}

test('without a terminal and without LLM_DISCOVER=yes no model server is asked', async () => {
  service = await start({});
  expect(server.requests).toEqual([]);
});

test('LLM_DISCOVER=yes answers by the model server that was found', async () => {
  service = await start({ LLM_DISCOVER: 'yes' });
  const base = `http://127.0.0.1:${server.port}/v1`;
  const line = `LLM_DISCOVER: llama3.1:8b of the model server at ${base} is used; it has llama3.1:8b`;
  expect(service.process.lines.filter(({ msg }) => msg === line)).toHaveLength(1);
  const { status, body } = await service.post('/api/tools/mcp', { query: 'What is half of a dozen?' });
  expect({ status, data: body.data }).toMatchObject({
    status: 200,
    data: { finalResult: 'It is six', provider: 'local', model: 'llama3.1:8b' },
  });
});
