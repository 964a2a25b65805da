import { randomUUID } from 'node:crypto';
import { initializeAgent } from '../support/agent';
import { type HoldingPeer, startHoldingPeer } from '../support/holding-peer';
import type { Answer } from '../support/http';
import { LEXICAL } from '../support/memories';
import { type Service, startService } from '../support/service';
import { waitFor } from '../support/wait';
import { customBody, sumStep } from '../support/workflow-steps';

let service: Service;
let peer: HoldingPeer;

beforeAll(async () => {
  const settings = { ...LEXICAL, EGRESS_ALLOW_PRIVATE: 'true' };
  [service, peer] = await Promise.all([startService(settings), startHoldingPeer()]);
  await initializeAgent(service);
});
afterAll(async () => {
  await service.stop();
  await peer.close();
});

const ADD = { toolName: 'calculator', args: { operation: 'add', a: 20, b: 22 } };
const fetching = (path: string) => ({ toolName: 'api_call', args: { url: `${peer.url}${path}` } });

function execute(
  body: object,
  headers: Record<string, string>,
  path = '/api/tools/execute',
): Promise<Answer> {
  return service.post(path, body, headers);
}

const endOf = async (location: string): Promise<Answer> => {
  let answer = await service.get(location);
  await waitFor(
    async () => {
      answer = await service.get(location);
      return answer.body.data.status !== 'running';
    },
    { what: `the end of ${location}` },
  );
  return answer;
};

describe('a request that prefers not to wait for its run', () => {
  test('is answered while the run continues, and its run is found at once', async () => {
    const path = `/held/${randomUUID()}`;
    const answer = await execute(fetching(path), { prefer: 'respond-async' });
    expect(answer.status).toBe(202);
    const workflowId = answer.headers.get('x-workflow-id') ?? '';
    const runId = answer.headers.get('x-trace-id') ?? '';
    expect(answer.body).toEqual({
      success: true,
      data: { runId, traceId: runId, workflowId, status: 'running' },
      message: 'Run accepted',
    });
    expect(answer.headers.get('preference-applied')).toBe('respond-async');
    const location = answer.headers.get('location') ?? '';
    expect(location).toBe(`/api/runs/${runId}?workflowId=${encodeURIComponent(workflowId)}`);
    expect((await service.get(location)).body.data).toMatchObject({ traceId: runId, status: 'running' });
    await peer.arrived(path);
    peer.release(path);
    expect((await endOf(location)).body.data.status).toBe('completed');
  });

  test.each([
    ['/api/tools/execute-sequential', { tools: [ADD] }],
    ['/api/tools/execute-multiple', { tools: [ADD] }],
    ['/api/workflow/execute-custom', customBody([sumStep('a', 1, 2)])],
    ['/api/v1/tools/execute', ADD],
  ])('may be one to %s', async (path, body) => {
    const answer = await execute(body, { prefer: 'respond-async' }, path);
    expect([answer.status, answer.body.data?.status]).toEqual([202, 'running']);
    expect((await endOf(answer.headers.get('location') ?? '')).body.data.status).toBe('completed');
  });

  test('may be a turn, which keeps its place in the session', async () => {
    const options = { userId: randomUUID(), sessionId: 'session-1' };
    const turn = (query: string, headers = {}) => execute({ query, options }, headers, '/api/agent/execute');
    const early = await turn('My dog is called Bruno.', { prefer: 'respond-async' });
    expect(early.status).toBe(202);
    const answer = await turn('What is my dog called?');
    expect([answer.status, answer.body.data.response]).toEqual([200, expect.stringContaining('Bruno')]);
  });

  test('is refused as usual where it starts no run', async () => {
    const unknown = await execute({ toolName: 'nobody', args: {} }, { prefer: 'respond-async' });
    expect([unknown.status, unknown.headers.get('location')]).toEqual([404, null]);
    const invalid = await execute({ ...ADD, args: {} }, { prefer: 'respond-async' });
    expect(invalid.status).toBe(400);
  });

  test('joins by its key the run of the same request, whatever either prefers', async () => {
    const [path, key] = [`/held/${randomUUID()}`, randomUUID()];
    const first = await execute(fetching(path), { prefer: 'respond-async', 'idempotency-key': key });
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([202, null]);
    const second = await execute(fetching(path), { prefer: 'respond-async', 'idempotency-key': key });
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
    expect(second.body).toEqual(first.body);
    await peer.arrived(path);
    peer.release(path);
    const third = await execute(fetching(path), { 'idempotency-key': key });
    expect([third.status, third.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(peer.count(path)).toBe(1);
    const fourth = await execute(fetching(path), { prefer: 'respond-async', 'idempotency-key': key });
    expect(fourth.body.data).toEqual({ ...first.body.data, status: 'completed' });
    const other = await execute(ADD, { prefer: 'respond-async', 'idempotency-key': key });
    expect(other.status).toBe(409);
  });
});

describe('a request that prefers to wait for a time', () => {
  test('gets the result where the run ends in time', async () => {
    const answer = await execute(ADD, { prefer: 'wait=20' });
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
    expect(answer.headers.get('preference-applied')).toBe('wait=20');
  });

  test('is answered after it where the run takes longer', async () => {
    const path = `/held/${randomUUID()}`;
    const answer = await execute(fetching(path), { prefer: 'respond-async, wait=1' });
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([202, 'respond-async, wait=1']);
    peer.release(path);
    expect((await endOf(answer.headers.get('location') ?? '')).body.data.status).toBe('completed');
  });

  test('is not said to have followed it where nothing runs', async () => {
    const refused = await execute({ toolName: 'calculator' }, { prefer: 'respond-async' });
    expect([refused.status, refused.headers.get('preference-applied')]).toEqual([400, null]);
  });

  test.each(['handling=lenient', 'wait=soon', 'wait=-1', 'respond-sync', ''])(
    'is answered as usual where the preference is not known: %s',
    async (prefer) => {
      const answer = await execute(ADD, { prefer });
      expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, null]);
    },
  );
});
