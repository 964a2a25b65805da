import { randomUUID } from 'node:crypto';
import type { Answer } from '../support/http';
import { callsTools, says } from '../support/model-server';
import { calculates, fetches, type ModelService, outcomesIn } from '../support/model-service';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import { useModelService } from '../support/use-service';

/** The default of the service. */
const MAX_REPLANS = 2;

let service: ModelService;
let peer: StubPeer;

beforeAll(async () => {
  service = await useModelService();
  peer = await startStubPeer((_request, response) => sendJson(response, 200, {}));
});
afterAll(async () => {
  await peer.close();
  await service.stop();
});
beforeEach(() => service.hosted.reset());

const mcp = (query = 'do it', more: object = {}): Promise<Answer> =>
  service.post('/api/tools/mcp', { query, ...more });
const DIVIDE = calculates('divide', 1, 0);
const failedDivision = (stepNumber: number) => ({
  stepNumber,
  toolName: 'calculator',
  code: 'TOOL_EXECUTION_FAILED',
  error: expect.stringMatching(/division by zero/i),
});

describe("a tool's failure in a planner loop", () => {
  test('is told to the model, which may find another way; the answer lists it', async () => {
    service.hosted.script(callsTools([DIVIDE]), callsTools([calculates('divide', 1, 2)]), says('A half.'));
    const { status, body } = await mcp();
    expect([status, body.message]).toEqual([200, 'MCP execution completed successfully']);
    expect(body.data).toMatchObject({
      success: true,
      finalResult: 0.5,
      allResults: { calculator: 0.5 },
      executionOrder: ['calculator'],
      errors: [failedDivision(1)],
    });
    expect(JSON.parse(outcomesIn(service.hosted.requests[1])[0] ?? '')).toEqual({
      failed: true,
      error: expect.stringMatching(/division by zero/i),
    });
  });

  test('leaves the rest of its turn alone, and says so to the model', async () => {
    const path = `/after-${randomUUID()}`;
    service.hosted.script(
      callsTools([calculates('add', 1, 1), DIVIDE, fetches(peer.url + path)]),
      callsTools([calculates('add', 2, 2)]),
      says('Done.'),
    );
    const { body } = await mcp();
    expect(body.data).toMatchObject({ success: true, allResults: { calculator: 2, calculator_2: 4 } });
    expect(body.data.errors).toEqual([failedDivision(2)]);
    expect(peer.count(path)).toBe(0);
    expect(outcomesIn(service.hosted.requests[1])).toEqual([
      '2',
      expect.stringMatching(/division by zero/i),
      expect.stringContaining('Not run'),
    ]);
  });

  test('is planned around so often and no more', async () => {
    service.hosted.otherwise(callsTools([DIVIDE]));
    const answer = await mcp();
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({
      success: false,
      message: 'Tool execution failed',
      error: expect.stringMatching(/division by zero/i),
      details: {
        toolName: 'calculator',
        args: DIVIDE.args,
        stepNumber: MAX_REPLANS + 1,
        workflowId: answer.headers.get('x-workflow-id'),
        traceId: answer.headers.get('x-trace-id'),
      },
    });
    expect(service.hosted.requests).toHaveLength(MAX_REPLANS + 1);
  });

  test('fails the run where the model gives up, with what was done before', async () => {
    service.hosted.script(callsTools([calculates('add', 1, 1), DIVIDE]), says('That cannot be done.'));
    const { status, body } = await mcp();
    expect([status, body.message]).toEqual([500, 'Tool execution failed']);
    expect(body.details).toMatchObject({
      toolName: 'calculator',
      args: DIVIDE.args,
      stepNumber: 2,
      completed: { executionOrder: ['calculator'], allResults: { calculator: 2 } },
    });
  });

  test('is clear where the tool is only a definition', async () => {
    const name = `paper-${randomUUID()}`;
    await service.post('/api/tools/register', { name, parameters: { n: 'number' } });
    service.hosted.script(callsTools([{ name, args: { n: 1 } }]), says('It has no implementation.'));
    const { status, body } = await mcp();
    expect([status, body.message]).toEqual([500, 'Tool execution failed']);
    expect(body.error).toContain('without an implementation');
    expect(body.details).toMatchObject({ toolName: name, args: { n: 1 } });
    expect(outcomesIn(service.hosted.requests[1])[0]).toContain('without an implementation');
    await service.send('DELETE', `/api/tools/${name}`);
  });

  test('by its time limit is one too', async () => {
    const name = `lasting-${randomUUID()}`;
    const source = 'const end = Date.now() + 20_000; while (Date.now() < end); return 1';
    await service.post('/api/tools/register', { name, execute: source });
    service.hosted.script(callsTools([{ name, args: {} }]), says('Too slow.'));
    const { status, body } = await mcp('run it', { options: { timeout: 300 } });
    expect([status, body.message]).toEqual([500, 'Tool execution timeout']);
    expect(body.details).toMatchObject({ toolName: name, timeout: 300 });
    await service.send('DELETE', `/api/tools/${name}`);
  });
});
