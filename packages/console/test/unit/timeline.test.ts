import { applyEvents, type LiveStep, type Run, type RunEvent } from '../../src/api/step';
import { layOut, lengthOf, marksOf } from '../../src/panes/runs/timeline';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

const run = (more: object = {}): Run => ({
  traceId: 't',
  runId: 't',
  workflowId: 'custom-workflow/w/1',
  type: 'customWorkflow',
  status: 'running',
  startedAt: at(0),
  closedAt: null,
  ...more,
});

const step = (id: string, from: number, to?: number, more: object = {}): LiveStep => ({
  id,
  name: 'api_call',
  kind: 'tool',
  status: to === undefined ? 'running' : 'completed',
  attempts: 1,
  scheduledAt: at(from),
  endedAt: to === undefined ? undefined : at(to),
  ...more,
});

const event = (type: string, id: string, second: number, more: object = {}): RunEvent =>
  ({
    type,
    runId: 't',
    sequence: second,
    time: at(second),
    step: { id, name: 'n', kind: 'tool', attempt: 1 },
    ...more,
  }) as RunEvent;

describe('steps by events', () => {
  test('come, run and end, and repeated events change nothing', () => {
    const events = [
      event('step.scheduled', 'a', 1),
      event('step.started', 'a', 2),
      event('step.scheduled', 'b', 2),
      event('step.completed', 'a', 3, { executionTime: 12 }),
    ];
    const steps = applyEvents(new Map(), events);
    expect([...steps.values()]).toMatchObject([
      { id: 'a', status: 'completed', scheduledAt: at(1), endedAt: at(3), executionTime: 12 },
      { id: 'b', status: 'scheduled' },
    ]);
    expect(applyEvents(steps, events)).toEqual(steps);
  });

  test('keep why each attempt failed, and the text of a model', () => {
    const error = { code: 'X', message: 'no' };
    const attempt = (n: number) => ({ step: { id: 'a', name: 'n', kind: 'tool', attempt: n } });
    const steps = applyEvents(new Map(), [
      event('step.scheduled', 'a', 1),
      event('step.retrying', 'a', 2, { ...attempt(2), lastError: error }),
      event('message.delta', 'a', 3, { offset: 0, text: 'Hel' }),
      event('message.delta', 'a', 3, { offset: 3, text: 'lo' }),
      event('message.delta', 'a', 4, { offset: 0, text: 'Bye' }),
      event('step.failed', 'a', 5, { ...attempt(3), lastError: error, error }),
    ]);
    expect(steps.get('a')).toMatchObject({
      status: 'failed',
      attempts: 3,
      text: 'Bye',
      error,
      failures: [
        { attempt: 1, error },
        { attempt: 2, error },
      ],
    });
  });
});

describe('rows', () => {
  const items = [step('each[0]', 1, 3), step('each[1]', 2, 5), step('each[2]', 3)];

  test('fold the items of a step, and unfold them', () => {
    const input = { run: run(), steps: [step('first', 0, 1), ...items], unfolded: new Set<string>() };
    const folded = layOut(input);
    expect(folded.map(({ id }) => id)).toEqual(['first', 'each']);
    expect(folded[1]).toMatchObject({ group: { done: 2, all: 3 }, status: 'running' });
    expect(folded[1]?.bars).toEqual([{ from: 1_000, to: undefined, look: 'running' }]);
    const unfolded = layOut({ ...input, unfolded: new Set(['each']) });
    expect(unfolded.map(({ id, depth }) => `${id} ${depth}`)).toEqual([
      'first 0',
      'each 0',
      'each[0] 1',
      'each[1] 1',
      'each[2] 1',
    ]);
  });

  test('have what waits for a person and what has not begun', () => {
    const approvals = [{ id: 'x', step: 'ask', status: 'pending', requestedAt: at(2) }];
    const workflow = { steps: ['first', 'ask', 'last'].map((id) => ({ id, type: 'tool_execution' })) };
    const rows = layOut({
      run: run({ approvals, input: { workflow } }),
      steps: [step('first', 0, 1)],
      unfolded: new Set(),
    });
    expect(rows.map(({ id, status, note }) => [id, status, note])).toEqual([
      ['first', 'completed', undefined],
      ['ask', 'waiting', 'waits for a person'],
      ['last', 'none', 'not yet'],
    ]);
    expect(rows[1]?.bars).toEqual([{ from: 2_000, to: undefined, look: 'waiting' }]);
  });

  test('name what a rerun did not run again', () => {
    const [reused, own] = layOut({
      run: run({ reused: ['first'] }),
      steps: [step('second', 0, 1)],
      unfolded: new Set(),
    });
    expect([reused?.id, reused?.note, own?.id]).toEqual(['first', 'reused', 'second']);
  });
});

test('an open run grows with the clock, and one that has ended does not', () => {
  expect(lengthOf(run(), Date.parse(at(9)))).toBe(9_000);
  expect(lengthOf(run({ closedAt: at(4) }), Date.parse(at(9)))).toBe(4_000);
  expect(lengthOf(run({ closedAt: at(0) }), 0)).toBe(1);
});

test.each([
  [12_000, [0, 2_000, 4_000, 6_000, 8_000, 10_000, 12_000]],
  [450, [0, 100, 200, 300, 400]],
  [0.5, [0]],
])('the marks of %d ms', (length, marks) => {
  expect(marksOf(length, 6)).toEqual(marks);
});
