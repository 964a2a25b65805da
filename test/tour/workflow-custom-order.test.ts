import { type CountingPeer, startCountingPeer } from '../support/counting-peer';
import { type HoldingPeer, startHoldingPeer } from '../support/holding-peer';
import type { Answer } from '../support/http';
import type { SharedService } from '../support/service';
import { sendJson } from '../support/stub-peer';
import { useServiceAlone } from '../support/use-service';
import {
  customBody,
  fetchStep,
  type RequestedStep,
  resultsOf,
  sumStep,
  toolStep,
} from '../support/workflow-steps';

let service: SharedService;

beforeAll(async () => {
  service = await useServiceAlone();
});
afterAll(() => service.stop());

const run = (steps: readonly RequestedStep[], inputs = {}): Promise<Answer> =>
  service.post('/api/workflow/execute-custom', customBody(steps, inputs));

async function counted(): Promise<{ successful: number; failed: number }> {
  const { body } = await service.get('/api/tools/stats');
  return { successful: body.data.successfulExecutions, failed: body.data.failedExecutions };
}

describe('steps', () => {
  let peer: HoldingPeer;

  beforeEach(async () => {
    peer = await startHoldingPeer();
  });
  afterEach(() => peer.close());

  const held = (id: string, more = {}): RequestedStep => fetchStep(id, `${peer.url}/held/${id}`, {}, more);

  test('follow one another, each once the one before it has ended', async () => {
    const answer = run([held('a'), held('b'), held('c')]);
    for (const [n, id] of ['a', 'b', 'c'].entries()) {
      await peer.arrived(`/held/${id}`);
      expect(peer.requests).toHaveLength(n + 1);
      peer.release(`/held/${id}`);
    }
    expect(Object.keys(resultsOf(await answer))).toEqual(['a', 'b', 'c']);
  });

  test('that wait for nothing run at once', async () => {
    const answer = run([
      held('a'),
      held('b', { dependsOn: [] }),
      held('c', { dependsOn: [] }),
      held('d', { dependsOn: ['a', 'c'] }),
    ]);
    await Promise.all(['a', 'b', 'c'].map((id) => peer.arrived(`/held/${id}`)));
    peer.release('/held/c');
    // d waits for the same steps as a, and b is not among them.
    expect(peer.count('/held/d')).toBe(0);
    peer.release('/held/a');
    await peer.arrived('/held/d');
    peer.release('/held/d');
    peer.release('/held/b');
    expect(Object.values(resultsOf(await answer))).toHaveLength(4);
  });

  test('that refer to a step wait for it, whatever they say', async () => {
    const answer = run([
      held('a'),
      held('b', { dependsOn: [] }),
      fetchStep('after', `${peer.url}/n/{{b.result.status}}`, {}, { dependsOn: [] }),
    ]);
    await Promise.all([peer.arrived('/held/a'), peer.arrived('/held/b')]);
    peer.release('/held/b');
    await peer.arrived('/n/200');
    peer.release('/held/a');
    expect(resultsOf(await answer)).toMatchObject({ after: { status: 200 } });
  });

  test('that still go on when another fails are ended with the run, and counted', async () => {
    const before = await counted();
    const running = run([
      held('a'),
      sumStep('fine', 1, 1, { dependsOn: [] }),
      fetchStep('gate', `${peer.url}/held/gate`, {}, { dependsOn: [] }),
      sumStep('broken', '{{gate.result.data.missing}}', '{{fine.result}}', { dependsOn: [] }),
    ]);
    await Promise.all([peer.arrived('/held/a'), peer.arrived('/held/gate')]);
    peer.release('/held/gate');
    const answer = await running;
    expect(answer.status).toBe(500);
    expect(answer.body.details).toMatchObject({ failedStep: 'broken', stepNumber: 4 });
    expect(Object.keys(answer.body.details.completed)).toEqual(['fine', 'gate']);
    // The steps `fine` and `gate` succeeded, and `a` was given up.
    const after = await counted();
    expect([after.successful - before.successful, after.failed - before.failed]).toEqual([2, 1]);
  });
});

describe('a condition', () => {
  let peer: HoldingPeer;

  beforeAll(async () => {
    peer = await startHoldingPeer();
  });
  afterAll(() => peer.close());

  test.each<[string, boolean]>([
    ['{{first.result.status}} == 200', true],
    ['{{first.result.status}} >= 400', false],
    ['{{first.result.data.path}} contains "first"', true],
    ['{{first.result.data.missing.deep}}', false],
    ['{{first.result.data.missing}} == null', true],
    ['{{input.name.first}} == null', true],
    ['{{previous_result.status}} == 200 && !({{input.quiet}})', false],
    ['{{input.name}} == "Ada" || {{first.result.data.missing}} > 5', true],
    ['{{first.status}} == "completed"', true],
  ])('%s: %s', async (when, isWanted) => {
    const path = `/wanted/${encodeURIComponent(when).replaceAll(/[^a-z0-9]/gi, '')}`;
    const steps = [
      fetchStep('first', `${peer.url}/first`),
      fetchStep('second', peer.url + path, {}, { when }),
    ];
    const answer = await run(steps, { name: 'Ada', quiet: true });
    expect(answer.body.data.results.second).toMatchObject(
      isWanted
        ? { status: 'completed', result: { status: 200 } }
        : { status: 'skipped', result: null, executionTime: expect.any(Number) },
    );
    expect(peer.count(path)).toBe(isWanted ? 1 : 0);
  });

  test('that skips a step lets those go on that wait for it', async () => {
    const answer = await run([
      sumStep('skipped', 1, 2, { when: 'false' }),
      sumStep('after', 3, 4),
      sumStep('asks', 5, 6, { when: '{{skipped.status}} == "skipped" && {{skipped.result}} == null' }),
    ]);
    expect(resultsOf(answer)).toEqual({ skipped: null, after: 7, asks: 11 });
  });
});

describe('forEach', () => {
  let peer: CountingPeer;

  beforeEach(async () => {
    peer = await startCountingPeer(({ path }, response) =>
      sendJson(response, path.endsWith('/bad') ? 404 : 200, { path }),
    );
  });
  afterEach(() => peer.close());

  const each = (items: unknown, config: object, more: object = {}): RequestedStep =>
    fetchStep('each', `${peer.url}/{{index}}/{{item.name}}`, { ...config }, { forEach: { items, ...more } });
  const named = (count: number): { name: string }[] =>
    Array.from({ length: count }, (_, n) => ({ name: `n${n}` }));
  const pathsOf = (answer: Answer): string[] =>
    (resultsOf(answer)['each'] as { data: { path: string } }[]).map(({ data }) => data.path);

  test('gives the results in the order of the items, no more at once than its bound', async () => {
    peer.gather(4);
    const answer = await run([each('{{input.all}}', {}, { concurrency: 4 })], { all: named(12) });
    expect(pathsOf(answer)).toEqual(named(12).map(({ name }, n) => `/${n}/${name}`));
    expect(peer.most).toBe(4);
    expect(peer.requests).toHaveLength(12);
  });

  test('works on ten at once where nothing else is said, one by one where one is', async () => {
    peer.gather(10);
    await run([each(named(20), {})]);
    expect(peer.most).toBe(10);
    peer.gather(1);
    await run([each(named(5), {}, { concurrency: 1 })]);
    expect(peer.most).toBe(1);
    expect(peer.requests.slice(-5).map(({ path }) => path)).toEqual(
      named(5).map(({ name }, n) => `/${n}/${name}`),
    );
  });

  test('takes its items from a result, and from none makes an empty list', async () => {
    const answer = await run([
      fetchStep('list', `${peer.url}/list`, {}, { forEach: { items: [] } }),
      sumStep('sums', '{{item}}', '{{index}}', { forEach: { items: [10, 20, 30] } }),
      sumStep('again', '{{item}}', 1, { forEach: { items: '{{sums.result}}' } }),
      sumStep('last', '{{again.result[2]}}', 1),
    ]);
    expect(resultsOf(answer)).toEqual({ list: [], sums: [10, 21, 32], again: [11, 22, 33], last: 34 });
  });

  test('ends with the first item that fails', async () => {
    const answer = await run([
      sumStep('each', '{{item}}', 1, { forEach: { items: [1, 'two', 3], concurrency: 1 } }),
    ]);
    expect(answer.status).toBe(500);
    expect(answer.body.error).toMatch(/^Step 1 of 1 \(each\[1\]\) failed: args\.a must be a finite number/);
  });

  test('with continueOnError tries every item, and tells which failed', async () => {
    const rows = JSON.stringify([{ n: 1 }, { m: 2 }, { n: 'x' }, { n: 4 }]);
    const answer = await run([
      toolStep('rows', 'json_reader', { jsonString: rows, path: '$' }),
      sumStep('each', '{{item.n}}', 1, {
        continueOnError: true,
        forEach: { items: '{{rows.result.result}}' },
      }),
      sumStep('count', '{{each.errors[1].index}}', 0),
    ]);
    expect(answer.body.data.results.each).toMatchObject({
      status: 'completed',
      result: [2, null, null, 5],
      errors: [
        { index: 1, code: 'WORKFLOW_INVALID', message: expect.stringContaining('{{item.n}}') },
        { index: 2, code: 'TOOL_EXECUTION_FAILED', message: expect.stringContaining('finite number') },
      ],
    });
    expect(resultsOf(answer)['count']).toBe(2);
  });

  test('works on a thousand items, and fails a run that comes to one more', async () => {
    const thousand = Array.from({ length: 1_000 }, (_, n) => n);
    const items = { forEach: { items: '{{input.all}}', concurrency: 50 } };
    const answer = await run([sumStep('each', '{{item}}', 1, items)], { all: thousand });
    expect(resultsOf(answer)['each']).toEqual(thousand.map((n) => n + 1));
    const more = await run([
      sumStep('few', '{{item}}', 1, { forEach: { items: thousand.slice(0, 501) } }),
      sumStep('many', '{{item}}', 1, { forEach: { items: '{{few.result}}' } }),
    ]);
    expect(more.status).toBe(500);
    expect(more.body.error).toMatch(
      /Step 2 of 2 \(many\).*the run would have 1002; at most 1000 are allowed/,
    );
  });
});
