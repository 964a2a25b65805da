import { randomUUID } from 'node:crypto';
import type { Answer, Paths } from '../support/http';
import { plansInTurn } from '../support/agent';
import {
  fetches,
  type ModelService,
  offeredIn,
  outcomesIn,
  startModelService,
} from '../support/model-service';
import { openStage, type Stage } from '../support/stage';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import { useModelService } from '../support/use-service';

let peer: StubPeer;

beforeAll(async () => {
  peer = await startStubPeer((_request, response) => sendJson(response, 200, { name: 'Ada' }));
});
afterAll(() => peer.close());

/** A custom workflow with one step that is not a tool_execution step. */
function runStep({ post }: Pick<Paths, 'post'>, url: string): Promise<Answer> {
  const steps = [{ id: 'fetch', type: 'api_call', config: { url } }];
  return post('/api/workflow/execute-custom', { workflow: { name: 'One step', steps } });
}

function expectNoSuchTool({ status, body }: Answer): void {
  expect(status).toBe(400);
  expect(body).toMatchObject({
    success: false,
    details: { step: 'fetch', field: 'type', message: expect.stringContaining('no tool named "api_call"') },
  });
}

describe('api_call in a custom workflow', () => {
  let service: ModelService;

  beforeAll(async () => {
    service = await useModelService();
  });
  afterAll(() => service.stop());
  afterEach(async () => {
    await service.send('DELETE', '/api/tools/api_call');
    await service.post('/api/tools/restore');
  });

  test('runs while the tool is there', async () => {
    const { status, body } = await runStep(service, `${peer.url}/there`);
    expect([status, body.data?.results.fetch.result]).toMatchObject([
      200,
      { status: 200, data: { name: 'Ada' } },
    ]);
  });

  test.each<[string, () => Promise<Answer>]>([
    ['removed', () => service.send('DELETE', '/api/tools/api_call')],
    ['cleared away with all tools', () => service.post('/api/tools/clear')],
  ])('is refused once the tool is %s, and sends nothing', async (_how, remove) => {
    expect((await remove()).status).toBe(200);
    const path = `/${randomUUID()}`;
    expectNoSuchTool(await runStep(service, peer.url + path));
    const kept = { workflowId: 'fetch-each', inputs: { urls: [peer.url + path] } };
    expect((await service.post('/api/workflow/execute-custom', kept)).status).toBe(400);
    expect(peer.count(path)).toBe(0);
  });

  test('runs the tool that was registered under its name', async () => {
    await service.post('/api/tools/register', {
      name: 'api_call',
      parameters: { url: 'string' },
      execute: '({ url }) => `registered ${url.length}`',
    });
    const path = `/${randomUUID()}`;
    const { body } = await runStep(service, peer.url + path);
    expect(body.data.results.fetch.result).toBe(`registered ${(peer.url + path).length}`);
    expect(peer.count(path)).toBe(0);
  });
});

describe('a service with BUILTIN_TOOLS', () => {
  let service: ModelService;

  beforeAll(async () => {
    service = await startModelService({ BUILTIN_TOOLS: 'calculator, json_reader' });
  });
  afterAll(() => service.stop());

  test('has no other built-in tool, by every way to ask for one', async () => {
    const { body } = await service.get('/api/tools');
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['calculator', 'json_reader']);
    expect((await service.get('/api/tools/stats')).body.data.totalTools).toBe(2);
    const call = { toolName: 'api_call', args: { url: `${peer.url}/off` } };
    expect((await service.get('/api/tools/api_call')).status).toBe(404);
    expect((await service.send('DELETE', '/api/tools/api_call')).status).toBe(404);
    expect((await service.post('/api/tools/execute', call)).status).toBe(404);
    expect((await service.post('/api/tools/execute-multiple', { tools: [call] })).status).toBe(404);
    expectNoSuchTool(await runStep(service, `${peer.url}/off`));
    expect(peer.count('/off')).toBe(0);
  });

  test('offers a model no other one, and runs none that it asks for', async () => {
    service.hosted.otherwise(plansInTurn([fetches(`${peer.url}/off`)], 'Done.'));
    await service.post('/api/tools/mcp', { query: `fetch ${peer.url}/off` });
    expect(offeredIn(service.hosted.requests[0])).toEqual(['calculator', 'json_reader']);
    expect(service.hosted.requests.flatMap((request) => outcomesIn(request))).toEqual([
      expect.stringContaining('there is no tool \\"api_call\\"'),
    ]);
    expect(peer.count('/off')).toBe(0);
  });

  test('restores no other one', async () => {
    expect((await service.post('/api/tools/clear')).body.data).toEqual({ cleared: 2 });
    await service.post('/api/tools/restore');
    const { body } = await service.get('/api/tools');
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['calculator', 'json_reader']);
  });

  test('takes a registered tool under the name of one that is switched off', async () => {
    await service.post('/api/tools/register', { name: 'weather', execute: '() => "fair"' });
    const { body } = await service.post('/api/tools/execute', { toolName: 'weather' });
    expect(body.data.result).toBe('fair');
    expect((await service.send('DELETE', '/api/tools/weather')).status).toBe(200);
  });
});

describe('a worker with BUILTIN_TOOLS', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  test('runs no other built-in tool, also where the API has it', async () => {
    const [api] = await Promise.all([stage.api(), stage.worker({ BUILTIN_TOOLS: 'calculator' })]);
    const { status, body } = await api.post('/api/tools/execute', {
      toolName: 'api_call',
      args: { url: `${stage.peer.url}/worker` },
    });
    expect([status, body.error]).toEqual([500, expect.stringContaining('BUILTIN_TOOLS')]);
    expect(stage.peer.count('/worker')).toBe(0);
  });
});
