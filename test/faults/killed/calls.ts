import { randomUUID } from 'node:crypto';
import { apiCall, apiPost, calculator } from '../../support/calls';
import type { Answer } from '../../support/http';
import { eventsOf, pidOfActivity } from '../../support/runs';
import { endedRun } from '../../support/stop-runs';
import type { Stage } from '../../support/stage';
import { waitFor } from '../../support/wait';
import { customBody, fetchStep } from '../../support/workflow-steps';
import { type Ground, runWith, type Work } from './work';

/** Expects that missing heartbeats, within seconds, and not the call's time limit ended the lost attempt. */
async function expectNoticedByHeartbeats(stage: Stage, { headers }: Answer): Promise<void> {
  const workflowId = headers.get('x-workflow-id') ?? '';
  const started = await eventsOf(stage, workflowId, 'EVENT_TYPE_ACTIVITY_TASK_STARTED');
  const failures = started.flatMap(
    ({ activityTaskStartedEventAttributes: attributes }) => attributes?.lastFailure?.message ?? [],
  );
  expect(failures).toEqual([expect.stringMatching(/heartbeat/i)]);
}

const CALL = '/held/call';

export const call: Work = {
  name: 'a tool call is made again, as soon as heartbeats are missing',
  counted: { succeeded: 1 },
  async begin({ stage, api }) {
    const answer = api.post('/api/tools/execute', apiCall(stage.peer.url + CALL));
    await stage.peer.arrived(CALL);
    return {
      async resume() {
        await stage.peer.arrived(CALL, 2);
        stage.peer.release(CALL);
      },
      async holds() {
        const answered = await answer;
        expect(answered.status).toBe(200);
        await expectNoticedByHeartbeats(stage, answered);
        expect(answered.body.data).toMatchObject({
          toolName: 'api_call',
          result: { status: 200, data: { path: CALL } },
        });
      },
    };
  },
};

/** Kills the worker that has the step of `call`. */
export async function killHolder({ stage, workers }: Ground): Promise<void> {
  const pid = await pidOfActivity(stage, (await runWith(stage, CALL)).workflowId);
  const holder = workers.find((worker) => worker.pid === pid);
  if (holder === undefined) throw new Error(`no worker has the pid ${pid}`);
  await holder.kill();
}

export const sequence: Work = {
  name: 'calls of a sequence that were done are not done again',
  counted: { succeeded: 4 },
  async begin({ stage: { peer }, stage, api }) {
    const paths = ['/sequence/first', '/held/sequence', '/sequence/last'];
    const tools = paths.map((path) => apiCall(peer.url + path));
    const answer = api.post('/api/tools/execute-sequential', { tools: [...tools, calculator('add', 1, 2)] });
    await peer.arrived('/held/sequence');
    return {
      async resume() {
        await peer.arrived('/held/sequence', 2);
        peer.release('/held/sequence');
      },
      async holds() {
        const answered = await answer;
        expect(answered.status).toBe(200);
        await expectNoticedByHeartbeats(stage, answered);
        expect(answered.body.data.results).toHaveLength(4);
        expect(paths.map(peer.count)).toEqual([1, 2, 1]);
      },
    };
  },
};

export const repeatable: Work = {
  name: 'a request that is repeatable is sent again with the key of its call, also after a reset of its run',
  // Its two calls are counted again for the run after the reset.
  counted: { succeeded: 4 },
  async begin({ stage: { peer, client }, api }) {
    const items = ['/held/pay', '/pay-other'];
    const config = {
      method: 'POST',
      repeatable: true,
      headers: { 'x-run': '{{run.id}}/{{step.id}}/{{index}}' },
    };
    const body = customBody([fetchStep('pay', `${peer.url}{{item}}`, config, { forEach: { items } })]);
    const answer = api.post('/api/workflow/execute-custom', body);
    await Promise.all(items.map((path) => peer.arrived(path)));
    return {
      async resume() {
        await peer.arrived('/held/pay', 2);
        peer.release('/held/pay');
      },
      async holds() {
        const { status, headers } = await answer;
        expect(status).toBe(200);
        const workflowId = headers.get('x-workflow-id') ?? '';
        await client.workflowService.resetWorkflowExecution({
          namespace: 'default',
          workflowExecution: { workflowId, runId: headers.get('x-trace-id') ?? '' },
          reason: 'the test',
          requestId: randomUUID(),
          workflowTaskFinishEventId: 4 as never,
        });
        await client.workflow.getHandle(workflowId).result();
        const sentTo = (path: string) => peer.requests.filter((request) => request.path === path);
        const [first] = sentTo('/held/pay');
        for (const name of ['idempotency-key', 'x-run']) {
          expect(sentTo('/held/pay').map((request) => request.headers[name])).toEqual(
            Array(3).fill(first?.headers[name]),
          );
        }
        expect(first?.headers['x-run']).toBe(`${headers.get('x-trace-id')}/pay/0`);
        expect(first?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
        expect(sentTo('/pay-other').map((request) => request.headers['idempotency-key'])).not.toContain(
          first?.headers['idempotency-key'],
        );
      },
    };
  },
};

const TIMEOUT_MS = 4_000;

export const sentOnce: Work = {
  name: 'a request that may not be sent twice fails when its time is over, and says why',
  counted: { failed: 1 },
  async begin({ stage: { peer }, stage, api }) {
    const path = '/held/order';
    const body = { ...apiPost(peer.url + path), options: { timeout: TIMEOUT_MS } };
    const answer = api.post('/api/tools/execute', body);
    await peer.arrived(path);
    return {
      async holds() {
        const { status, body: answered, headers } = await answer;
        expect(status).toBe(500);
        const workflowId = headers.get('x-workflow-id') ?? '';
        expect(await eventsOf(stage, workflowId, 'EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT')).toHaveLength(1);
        expect(answered).toMatchObject({
          success: false,
          message: 'Tool execution timeout',
          error: expect.stringMatching(/within 4000 ms .*its worker was lost.*not sent again/),
          details: { toolName: 'api_call', timeout: TIMEOUT_MS },
        });
        expect(peer.count(path)).toBe(1);
      },
    };
  },
};

export const sentOnceByStopped: Work = {
  name: 'a request that may not be sent twice fails at once, and was sent once',
  counted: { failed: 1 },
  async begin({ stage: { peer }, api }) {
    const path = '/held/order';
    const answer = api.post('/api/tools/execute', apiPost(peer.url + path));
    await peer.arrived(path);
    return {
      async holds() {
        const { status, body } = await answer;
        expect([status, body.message]).toEqual([500, 'Tool execution failed']);
        expect(body.error).toContain('not sent again');
        expect(peer.count(path)).toBe(1);
      },
    };
  },
};

export const foundAgain: Work = {
  name: 'the run of a caller completes, and any API finds it',
  counted: { succeeded: 1 },
  async begin(on) {
    const { peer } = on.stage;
    const path = '/held/found';
    const refused = expect(on.api.post('/api/tools/execute', apiCall(peer.url + path))).rejects.toThrow();
    await peer.arrived(path);
    return {
      async resume() {
        await refused;
        const { runId, workflowId } = await runWith(on.stage, path);
        const { body } = await on.api.get(`/api/runs/${runId}`);
        expect(body.data).toMatchObject({ traceId: runId, workflowId, status: 'running', closedAt: null });
        peer.release(path);
      },
      async holds() {
        const { runId } = await runWith(on.stage, path);
        // The run is looked up by its trace id alone.
        const ended = await waitFor(
          async () => {
            const answer = await on.api.get(`/api/runs/${runId}`);
            return answer.status === 200 && answer.body.data.closedAt !== null && answer;
          },
          { what: `run ${runId} to end` },
        );
        expect(ended.body.data).toMatchObject({
          status: 'completed',
          result: { toolName: 'api_call', result: { status: 200, data: { path } } },
        });
        expect(peer.count(path)).toBe(1);
      },
    };
  },
};

export const repeatedByKey: Work = {
  name: 'a repeat with the same Idempotency-Key at another API gets the answer of the first run',
  counted: { succeeded: 1 },
  async begin(on) {
    const { peer } = on.stage;
    const path = '/held/keyed';
    const headers = { 'idempotency-key': randomUUID() };
    const send = () => on.api.post('/api/tools/execute', apiCall(peer.url + path), headers);
    const lost = expect(send()).rejects.toThrow();
    await peer.arrived(path);
    let joined: Promise<Answer>;
    return {
      async resume() {
        await lost;
        const before = await connections(on);
        joined = send();
        // The repeat has arrived when its connection exists beside those before it.
        await waitFor(async () => (await connections(on)) > before, { what: 'the repeat to arrive' });
        peer.release(path);
      },
      async holds() {
        const first = await joined;
        const afterwards = await send();
        const { runId } = await runWith(on.stage, path);
        for (const answer of [first, afterwards]) {
          expect(answer.status).toBe(200);
          expect(answer.headers.get('x-trace-id')).toBe(runId);
          expect(answer.body.data.result).toMatchObject({ status: 200, data: { path } });
        }
        expect(peer.count(path)).toBe(1);
      },
    };
  },
};

export const callerGone: Work = {
  name: 'a caller that goes away before does not stop its run',
  counted: { succeeded: 1 },
  async begin(on) {
    const { peer } = on.stage;
    const path = '/held/gone';
    const caller = new AbortController();
    const before = await connections(on);
    const aborted = fetch(`${on.api.url}/api/tools/execute`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(apiCall(peer.url + path)),
      signal: caller.signal,
    });
    const gone = expect(aborted).rejects.toThrow();
    await peer.arrived(path);
    caller.abort();
    await gone;
    await waitFor(async () => (await connections(on)) === before, {
      what: 'the API to notice that the caller is gone',
    });
    const { workflowId, runId: traceId } = await runWith(on.stage, path);
    return {
      resume: async () => peer.release(path),
      async holds() {
        const ended = await endedRun(on.api, { workflowId, traceId });
        expect(ended.body.data).toMatchObject({ status: 'completed', result: { toolName: 'api_call' } });
      },
    };
  },
};

/** The number of connections that the API has at present, that of the question included. */
async function connections({ api }: Ground): Promise<number> {
  const { body } = await api.get('/api/health/detailed');
  return body.data.metrics.activeConnections as number;
}
