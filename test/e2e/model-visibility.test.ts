import { randomUUID } from 'node:crypto';
import { activityResults, filesWith, historyTexts, scheduledActivities } from '../support/history-texts';
import { type HoldingPeer, startHoldingPeer } from '../support/holding-peer';
import type { Answer } from '../support/http';
import { type Behaviour, callsTools, fails, hangs, refusesKey, says } from '../support/model-server';
import {
  calculates,
  fetches,
  HOSTED_KEY,
  LOCAL_KEY,
  type OwnModelService,
  startModelService,
  usage,
} from '../support/model-service';
import { connectTemporal, type TestClient } from '../support/temporal-client';
import { waitFor } from '../support/wait';

let service: OwnModelService;
let peer: HoldingPeer;
let temporal: TestClient;

beforeAll(async () => {
  [service, peer, temporal] = await Promise.all([startModelService(), startHoldingPeer(), connectTemporal()]);
});
afterAll(() => Promise.all([service.stop(), peer.close(), temporal.close()]));
beforeEach(() => {
  service.hosted.reset();
  service.local.reset();
});

const workflowIdOf = ({ headers }: Answer): string => headers.get('x-workflow-id') ?? '';
const activities = (answer: Answer) => scheduledActivities(temporal.client, workflowIdOf(answer));
/** Allows the model to reach the peer, which no query names. */
const allow = () => ({ hosts: [new URL(peer.url).host] });
const mcp = (options: object = {}, query = 'do it'): Promise<Answer> =>
  service.post('/api/tools/mcp', { query, options: { allow: allow(), ...options } });

describe('the history of a run', () => {
  test('tells provider and model of every model call, and what it was for', async () => {
    service.hosted.script(callsTools([fetches(`${peer.url}/user`)]), says('Done.'));
    expect(await activities(await mcp({ model: 'gpt-9' }))).toEqual([
      ['plan', 'plan-1: hosted gpt-9: choose tools'],
      ['runTool', expect.stringContaining('1: api_call')],
      ['plan', 'plan-2: hosted gpt-9: choose tools'],
    ]);

    service.local.script(callsTools([calculates('add', 1, 2)]));
    const body = { query: 'one and two', toolName: 'calculator', options: { model: 'local' } };
    expect(await activities(await service.post('/api/tools/execute-with-llm', body))).toEqual([
      ['plan', 'plan-1: local local-model: arguments of calculator'],
    ]);
  });

  test("keeps a summary short, the model's name and not the purpose being cut", async () => {
    service.hosted.script(says('Done.'));
    const [[, summary]] = (await activities(await mcp({ model: 'm'.repeat(200) }))) as [[string, string]];
    expect(summary).toMatch(/^plan-1: hosted m{50,}….*: choose tools$/);
    expect(summary.length).toBeLessThanOrEqual(140);
  });

  test('tells what each model call has used', async () => {
    service.hosted.script(
      callsTools([calculates('add', 1, 2)], { usage: [11, 3] }),
      says('Three.', { usage: [20, 4] }),
    );
    const answer = await mcp();
    const results = await activityResults(temporal.client, workflowIdOf(answer));
    expect(results).toMatchObject([
      { provider: 'hosted', model: 'hosted-model', usage: usage(11, 3) },
      { provider: 'hosted', model: 'hosted-model', usage: usage(20, 4), content: 'Three.' },
    ]);
    expect(answer.body.data.llmUsage).toEqual(usage(31, 7));
  });

  test('leads from the sentence to the run in the Temporal UI, without the secrets of addresses', async () => {
    service.hosted.script(says('Done.'));
    const answer = await mcp({}, 'fetch https://ada:pass-1843@example.test/x?key=hidden-1843 now');
    const run = await temporal.client.workflow.getHandle(workflowIdOf(answer)).describe();
    const summary = await run.staticSummary();
    expect(summary).toBe('fetch https://example.test/x now');
  });
});

describe('a key is nowhere', () => {
  /** An error in which the server repeats the key that it received. */
  const repeats =
    (status: number): Behaviour =>
    (request, response) =>
      fails(status, { message: `Refused: ${request.headers.authorization}` })(request, response);

  /** All places where a run may have left a text. */
  async function placesOf(text: string, answer: Answer): Promise<string[]> {
    const places: [string, string][] = [
      ['history', await historyTexts(temporal.client, workflowIdOf(answer))],
      ['answer', answer.text + JSON.stringify([...answer.headers])],
      ['log', JSON.stringify(service.process.lines) + service.process.output()],
    ];
    const found = places.filter(([, content]) => content.includes(text)).map(([place]) => place);
    return [...found, ...filesWith(text, service.dataDir)];
  }

  const PROVIDERS = [
    ['hosted', HOSTED_KEY],
    ['local', LOCAL_KEY],
  ] as const;
  test.each<[string, Behaviour[]]>([
    ['a success', [callsTools([calculates('add', 1, 2)]), says('Three.')]],
    ['a refusal that repeats it', [refusesKey()]],
    ['a refused request that repeats it', [repeats(400)]],
    ['a failure that repeats it at every attempt', [repeats(500), repeats(500), repeats(500)]],
    ['an unknown path that repeats it', [repeats(404)]],
  ])('after %s', async (_case, behaviours) => {
    for (const [provider, key] of PROVIDERS) {
      service[provider].script(...behaviours);
      const query = `query-${randomUUID()}`;
      const answer = await mcp({ model: provider }, query);
      expect(service[provider].requests).toHaveLength(behaviours.length);
      expect(service[provider].requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
      expect(await placesOf(key, answer)).toEqual([]);
      // This shows that the history was read.
      expect(await placesOf(query, answer)).toEqual(['history']);
    }
  });
});

describe('the query progress', () => {
  test('tells the plan and how far it is while a step is under way, and afterwards', async () => {
    const path = `/held-${randomUUID()}`;
    service.hosted.script(
      callsTools([calculates('add', 1, 2), fetches(peer.url + path), calculates('divide', 1, 0)]),
      callsTools([calculates('add', 3, 4)]),
      says('Done.'),
    );
    const key = randomUUID();
    const body = { query: 'hold on', options: { allow: allow() } };
    const answer = service.post('/api/workflow/execute', body, { 'idempotency-key': key });
    await peer.arrived(path);
    const handle = temporal.client.workflow.getHandle(`query-workflow/key-${key}`);
    const sum = { step: '1', what: 'calculator {"operation":"add","a":1,"b":2}' };
    const division = { step: '3', what: 'calculator {"operation":"divide","a":1,"b":0}' };
    expect(await handle.query('progress')).toEqual([
      { ...sum, state: 'completed' },
      { step: '2', what: expect.stringMatching(/^api_call /), state: 'running' },
      { ...division, state: 'waiting' },
    ]);
    peer.release(path);
    expect((await answer).status).toBe(200);
    expect(await handle.query('progress')).toMatchObject([
      { ...sum, state: 'completed' },
      { step: '2', state: 'completed' },
      { ...division, state: 'failed' },
      { step: '4', what: 'calculator {"operation":"add","a":3,"b":4}', state: 'completed' },
    ]);
  });

  test('tells which calls of a turn were left because one before them failed', async () => {
    service.hosted.otherwise(callsTools([calculates('divide', 1, 0), calculates('add', 1, 2)]));
    const answer = await mcp();
    expect(answer.status).toBe(500);
    const handle = temporal.client.workflow.getHandle(workflowIdOf(answer));
    const steps = await handle.query<{ state: string }[]>('progress');
    expect(steps.map(({ state }) => state)).toEqual([
      'failed',
      'skipped',
      'failed',
      'skipped',
      'failed',
      'skipped',
    ]);
    expect(answer.body.details.stepNumber).toBe(5);
  });
});

test('a run that an operator cancels while the model thinks lets go of the model', async () => {
  service.hosted.otherwise(hangs());
  const key = randomUUID();
  const answer = service.post('/api/tools/mcp', { query: 'think' }, { 'idempotency-key': key });
  const request = await waitFor(() => service.hosted.requests[0], { what: 'the model to be asked' });
  await temporal.client.workflow.getHandle(`mcp/key-${key}`).cancel();
  const { status, body } = await answer;
  expect([status, body.message]).toEqual([500, 'Run cancelled']);
  await waitFor(() => request.closed, { what: 'the request to the model to be closed' });
});
