import { DEMO_WORLD } from '../../packages/records/domain/demo-world';
import { ask, initializeAgent } from '../support/agent';
import { apiCall, calculator } from '../support/calls';
import { type Cluster, CLUSTER_WAIT_MS, describeWithCluster, openCluster } from '../support/cluster/cluster';
import { type HoldingPeer, startHoldingPeer } from '../support/holding-peer';
import type { Answer, Paths } from '../support/http';
import { addSemantic, newUser, searchSemantic } from '../support/memories';
import { figures, pidOf } from '../support/runs';
import { waitFor } from '../support/wait';

describeWithCluster('the services of docker-compose.yml', () => {
  let cluster: Cluster;
  let peer: HoldingPeer;

  beforeAll(async () => {
    [cluster, peer] = await Promise.all([openCluster(), startHoldingPeer()]);
  }, CLUSTER_WAIT_MS);
  afterAll(async () => {
    await peer.close();
    expect(await cluster.stop()).toEqual([0, 0, 0, 0, 0]);
  });

  const execute = (api: Paths, call: object): Promise<Answer> => api.post('/api/tools/execute', call);

  /** Starts a call that waits at the peer; `finish` lets it end. */
  async function heldCall(
    path: string,
    api = cluster.api,
  ): Promise<{ answer: Promise<Answer>; finish(): void }> {
    const answer = execute(api, apiCall(peer.url + path));
    await peer.arrived(path);
    return { answer, finish: () => peer.release(path) };
  }

  /** Ids of the only open run; waits until there is exactly one. */
  const openRun = (): Promise<{ workflowId: string; runId: string }> =>
    waitFor(
      async () => {
        for await (const run of cluster.client.workflow.list({
          query: "ExecutionStatus = 'Running' AND HoldfastTools = 'api_call'",
        }))
          return run;
        return undefined;
      },
      { what: 'the run to be listed' },
    );

  describe('answers for every area over the one address', () => {
    test('a tool', async () => {
      const { status, body } = await execute(cluster.api, calculator('multiply', 6, 7));
      expect([status, body.data.result]).toEqual([200, 42]);
    });

    test('a workflow from a sentence', async () => {
      const { status, body } = await cluster.api.post('/api/workflow/execute', {
        query: 'multiply 6 by 7, then subtract 2',
      });
      expect(status).toBe(200);
      expect(JSON.stringify(body.data)).toContain('40');
    });

    test('a turn of the agent, that remembers', async () => {
      await initializeAgent(cluster.api);
      const userId = newUser();
      await ask(cluster.api, 'My favourite colour is teal', { userId });
      const { status, body } = await ask(cluster.api, 'What is my favourite colour?', { userId });
      expect(status).toBe(200);
      expect(JSON.stringify(body.data)).toMatch(/teal/i);
    });

    test('a memory that is written and found', async () => {
      const userId = newUser();
      const { id } = await addSemantic(cluster.api, { userId, concept: 'zeppelin' });
      const { body } = await searchSemantic(cluster.api, { userId, query: 'zeppelin' });
      expect(body.data.map((one: { id: string }) => one.id)).toEqual([id]);
    });

    test('records', async () => {
      const { id } = DEMO_WORLD.facilities[0]!;
      const created = await cluster.records.post('/api/facilities', DEMO_WORLD.facilities[0]);
      expect(created.status).toBe(201);
      expect((await cluster.records.get(`/api/facilities/${id}`)).status).toBe(200);
    });

    test('health', async () => {
      const { status, body } = await cluster.api.get('/api/health');
      expect([status, body.data.status]).toEqual([200, 'healthy']);
    });
  });

  test('connections go to both APIs', async () => {
    const answers = await Promise.all(
      ['api-1', 'api-2'].map(async (name) => (await cluster.single(name).get('/readyz')).status),
    );
    expect(answers).toEqual([200, 200]);
    const asked = (name: string): number =>
      cluster.process(name).lines.filter(({ path }) => path === '/api/tools').length;
    const before = [asked('api-1'), asked('api-2')];
    for (let n = 0; n < 4; n += 1) await cluster.api.get('/api/tools');
    await waitFor(() => asked('api-1') + asked('api-2') - (before[0] ?? 0) - (before[1] ?? 0) === 4, {
      what: 'all requests to be logged',
    });
    expect([asked('api-1') - (before[0] ?? 0), asked('api-2') - (before[1] ?? 0)]).toEqual([2, 2]);
  });

  describe('what goes through one API is soon known to the other', () => {
    const soon = (condition: () => Promise<boolean>, what: string): Promise<unknown> =>
      waitFor(condition, { what });

    test('an initialization', async () => {
      const [first, second] = [cluster.single('api-1'), cluster.single('api-2')];
      const { status } = await first.post('/api/memory-chat/initialize', {});
      expect(status).toBe(200);
      await soon(
        async () =>
          (await second.post('/api/memory-chat/chat', { message: 'hi', userId: newUser(), sessionId: 's' }))
            .status === 200,
        'the other API to be initialized',
      );
    });

    test('a tool, and how often it was run', async () => {
      const [first, second] = [cluster.single('api-1'), cluster.single('api-2')];
      const tool = { name: 'answer', description: 'made by a test', parameters: {}, execute: '() => 42' };
      expect((await first.post('/api/tools/register', tool)).status).toBe(201);
      const before = await figures(second);
      await soon(
        async () => (await execute(second, { toolName: 'answer', args: {} })).body.data.result === 42,
        'the tool',
      );
      await soon(
        async () => (await figures(first)).totalExecutions === before.totalExecutions + 1,
        'the call to be counted',
      );
    });
  });

  test('a run shows in the UI, by its tool, and the address in the answer leads to a page', async () => {
    const { headers } = await execute(cluster.api, calculator('add', 1, 2));
    const workflowId = headers.get('x-workflow-id') ?? '';
    const query = encodeURIComponent("HoldfastTools = 'calculator'");
    await waitFor(
      async () => {
        const response = await fetch(`${cluster.uiUrl}/api/v1/namespaces/default/workflows?query=${query}`);
        return (await response.text()).includes(workflowId);
      },
      { what: "the run to be in the UI's list" },
    );
    const link = headers.get('x-temporal-ui') ?? '';
    expect(link.startsWith(`${cluster.uiUrl}/namespaces/default/workflows/`)).toBe(true);
    const page = await fetch(link);
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ]);
  });

  describe('a part that is killed in the middle of a run', () => {
    test('a worker: the run goes on at the other', async () => {
      const { answer, finish } = await heldCall('/held/worker');
      const { workflowId } = await openRun();
      const { raw } = await cluster.client.workflow.getHandle(workflowId).describe();
      const holder = pidOf(raw.pendingActivities?.[0]?.lastWorkerIdentity);
      const name = ['worker-1', 'worker-2'].find((worker) => cluster.process(worker).pid === holder);
      expect(name).toBeDefined();
      await Promise.all([cluster.killPart(name ?? ''), peer.arrived('/held/worker', 2)]);
      finish();
      expect((await answer).status).toBe(200);
    });

    test('an API: the address goes on answering, and the other knows the run', async () => {
      const { answer, finish } = await heldCall('/held/api', cluster.single('api-1'));
      const lost = expect(answer).rejects.toThrow();
      const { workflowId, runId } = await openRun();
      const again = cluster.killPart('api-1');
      await lost;
      for (let n = 0; n < 6; n += 1) expect((await cluster.api.get('/livez')).status).toBe(200);
      finish();
      await waitFor(
        async () => {
          const path = `/api/runs/${runId}?workflowId=${encodeURIComponent(workflowId)}`;
          return (await cluster.single('api-2').get(path)).body.data.status === 'completed';
        },
        { what: 'the run to be completed' },
      );
      await again;
      expect((await cluster.single('api-1').get('/livez')).status).toBe(200);
    });

    test.each(['temporal', 'postgres'])('%s: it comes back, and the run is finished', async (name) => {
      const path = `/held/${name}`;
      const { answer, finish } = await heldCall(path);
      await cluster.killPart(name);
      finish();
      expect((await answer).status).toBe(200);
      const { body } = await waitFor(
        async () => {
          const next = await execute(cluster.api, calculator('add', 1, 2));
          return next.status === 200 && next;
        },
        { what: 'a new run to be done' },
      );
      expect(body.data.result).toBe(3);
    });
  });

  test('all parts that are killed at once, as with their machine, have lost nothing when they run again', async () => {
    const tool = { name: 'kept', description: 'made by a test', parameters: {}, execute: '() => 42' };
    await cluster.api.post('/api/tools/register', tool);
    const { headers } = await execute(cluster.api, { toolName: 'kept', args: {} });
    await cluster.killAll();
    const { body } = await waitFor(
      async () => {
        const next = await execute(cluster.api, { toolName: 'kept', args: {} });
        return next.status === 200 && next;
      },
      { what: 'a new run to be done' },
    );
    expect(body.data.result).toBe(42);
    const id = encodeURIComponent(headers.get('x-workflow-id') ?? '');
    expect((await cluster.api.get(`/api/runs?workflowId=${id}`)).body.data.status).toBe('completed');
  });
});
