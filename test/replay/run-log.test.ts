import { defaultPayloadConverter } from '@temporalio/common';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import type { temporal } from '@temporalio/proto';
import { isRunEnd, type RunEvent } from '../../src/contracts/http/run-events';
import { isLogged, withoutInput } from '../../temporal/run-events/logged-events';
import { RunLog } from '../../temporal/run-events/run-log';
import { toRunSteps } from '../../temporal/run-events/run-steps';
import { readHistories, workflowTypeOf } from './histories';

const HISTORIES = [...readHistories()].map(([name, recorded]) => ({
  name,
  type: workflowTypeOf(recorded),
  events: historyFromJSON(recorded).events ?? [],
}));
const RUN = { workflowId: 'the-workflow', runId: 'the-run' };
/** Activities that are bookkeeping, and no steps of a run. */
const BOOKKEEPING = ['recordToolCall', 'turnState', 'turnChange'];

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

function logOf(events: readonly HistoryEvent[]): { log: RunLog; events: RunEvent[] } {
  const log = new RunLog(RUN);
  return { log, events: events.flatMap((event) => log.add(event)) };
}

function historyOf(name: string): readonly HistoryEvent[] {
  const found = HISTORIES.find((history) => history.name === name);
  if (found === undefined) throw new Error(`there is no history ${name}`);
  return found.events;
}

/** The log of a stored history as lines of type, step and what else a reader looks for first. */
function linesOf(name: string): string[] {
  return logOf(historyOf(name)).events.map(({ type, step, text, error, output }) =>
    [
      type,
      ...(step === undefined ? [] : [step.id, step.name, step.kind, step.attempt]),
      ...(text === undefined ? [] : [text]),
      ...(output === undefined ? [] : [JSON.stringify(output)]),
      ...(error === undefined ? [] : [error.code]),
    ].join(' '),
  );
}

describe.each(HISTORIES)('the log of $name', ({ type, events: history }) => {
  const { log, events } = logOf(history);
  const ids = (wanted: RunEvent['type']): string[] =>
    events.flatMap((event) => (event.type === wanted && event.step ? [event.step.id] : []));

  test('begins with the start, ends with the end, and numbers its events without a gap', () => {
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(events[0]).toMatchObject({ type: 'run.started', workflowType: type, workflowId: RUN.workflowId });
    expect(events.filter(isRunEnd)).toHaveLength(1);
    expect(events.filter(isRunEnd)[0]).toBe(events.at(-1));
    expect(events.every(({ runId }) => runId === RUN.runId)).toBe(true);
    const times = events.map(({ time }) => Date.parse(time));
    expect(times).toEqual([...times].sort((one, other) => one - other));
  });

  test('schedules each step once, before its one end', () => {
    const scheduled = ids('step.scheduled');
    const ended = [...ids('step.completed'), ...ids('step.failed')];
    expect(new Set(scheduled).size).toBe(scheduled.length);
    expect(new Set(ended).size).toBe(ended.length);
    for (const id of ended) {
      const at = (wanted: RegExp): number =>
        events.findIndex((event) => event.step?.id === id && wanted.test(event.type));
      expect(at(/scheduled/)).toBeLessThan(at(/completed|failed/));
      expect(at(/scheduled/)).toBeGreaterThan(0);
    }
    const open = log.openSteps.map(({ step }) => step.id);
    expect(new Set([...ended, ...open])).toEqual(new Set(scheduled));
  });

  test('has every activity and child run that is a step', () => {
    const activities = history.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) => {
      const name = scheduled?.activityType?.name ?? '';
      return name === '' || BOOKKEEPING.includes(name) ? [] : [name];
    });
    const children = history.filter(
      ({ startChildWorkflowExecutionInitiatedEventAttributes: child }) =>
        child != null && child.workflowType?.name !== 'approval',
    );
    const local = history.filter(
      ({ markerRecordedEventAttributes: marker }) => marker?.markerName === 'core_local_activity',
    );
    const bookkeeping = local.filter((event) =>
      BOOKKEEPING.some((name) => decode(event).includes(`"${name}"`)),
    );
    const least = activities.length + children.length + local.length - bookkeeping.length;
    // A local activity may hold several calls.
    expect(ids('step.scheduled').length).toBeGreaterThanOrEqual(least);
    if (local.length === 0) expect(ids('step.scheduled')).toHaveLength(least);
  });

  test('is the same from what is read of the history, and in whichever parts', () => {
    const read = history.filter(isLogged).map(withoutInput);
    expect(logOf(read).events).toEqual(events);
    const halfway = Math.floor(history.length / 2);
    const first = logOf(history.slice(0, halfway)).events;
    expect(events.slice(0, first.length)).toEqual(first);
  });

  test('gives steps that say how each ended, and the tokens of all', () => {
    const { steps, usage } = toRunSteps(events, [], true);
    expect(steps.map(({ id }) => id)).toEqual(ids('step.scheduled'));
    const completed = steps.filter(({ status }) => status === 'completed').map(({ id }) => id);
    expect(completed.sort()).toEqual(ids('step.completed').sort());
    const tokens = events.reduce((sum, event) => sum + (event.usage?.totalTokens ?? 0), 0);
    expect(usage.totalTokens).toBe(tokens);
  });
});

/** The values in an event's marker, as text. */
function decode({ markerRecordedEventAttributes: marker }: HistoryEvent): string {
  const payloads = marker?.details?.['data']?.payloads ?? [];
  return payloads.map(({ data }) => Buffer.from(data ?? []).toString()).join();
}

test('a sequence has its calls by position, also those that share an activity', () => {
  expect(linesOf('executeToolsInSequence-named-steps')).toEqual([
    'run.started',
    'step.scheduled 1 calculator tool 1',
    'step.completed 1 calculator tool 1 3',
    'step.scheduled 2 calculator tool 1',
    'step.completed 2 calculator tool 1 6',
    expect.stringMatching(/^step\.scheduled 3 api_call tool 1$/),
    expect.stringMatching(/^step\.completed 3 api_call tool 1 .*"name":"Ada"/),
    'step.scheduled 4 calculator tool 1',
    'step.completed 4 calculator tool 1 8',
    'step.scheduled 5 calculator tool 1',
    'step.completed 5 calculator tool 1 16',
    'run.completed',
  ]);
});

test('a step that was tried again has its attempts and the error before', () => {
  const { events } = logOf(historyOf('executeTool-regular-retried'));
  expect(events.find(({ type }) => type === 'step.completed')).toMatchObject({
    step: { id: '1', name: 'api_call', attempt: 2 },
    lastError: { code: 'TOOL_EXECUTION_FAILED', message: expect.stringContaining('503') },
  });
});

test('a turn has what its models said and what that cost', () => {
  const { events } = logOf(historyOf('agentTurn-in-models'));
  const answered = events.find(({ step, type }) => step?.name === 'answerTurn' && type === 'step.completed');
  expect(answered).toMatchObject({
    step: { id: 'answerTurn-1', kind: 'model' },
    text: 'Good day.',
    provider: 'local',
    model: 'local-model',
    usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
  });
  expect(toRunSteps(events, [], true).usage.totalTokens).toBe(15);
});

test('an approval has its request and its answer, and is no step', () => {
  const { events, log } = logOf(historyOf('executeTool-approved'));
  expect(events.map(({ type, approval }) => [type, approval?.status])).toEqual([
    ['run.started', undefined],
    ['approval.requested', 'pending'],
    ['approval.answered', 'approved'],
    ['step.scheduled', undefined],
    ['step.completed', undefined],
    ['run.completed', undefined],
  ]);
  expect(events[2]?.approval).toMatchObject({ toolName: 'api_call', decision: 'approve', by: 'ada' });
  expect(log.pendingApprovals).toEqual([]);
  const waiting = logOf(historyOf('executeTool-approved').slice(0, 7)).log.pendingApprovals;
  expect(waiting.map(({ status }) => status)).toEqual(['pending']);
});

test('a turn that waits for an earlier one says so once', () => {
  const waiting = logOf(historyOf('agentTurn-behind-another')).events.filter(
    ({ type }) => type === 'run.waiting',
  );
  expect(waiting).toEqual([expect.objectContaining({ reason: 'earlier-turn' })]);
});

test('the error of a failed run is that of its record, and of a failed step its own', () => {
  const { events } = logOf(historyOf('executeTool-light-failure'));
  expect(events.at(-1)).toMatchObject({
    type: 'run.failed',
    error: {
      code: 'TOOL_EXECUTION_FAILED',
      message: 'Division by zero',
      details: { toolName: 'calculator' },
    },
  });
  expect(events.at(-2)).toMatchObject({ type: 'step.failed', error: { code: 'TOOL_EXECUTION_FAILED' } });
});

test.each([
  ['customWorkflow-named-steps', ['one', 'two[0]', 'two[1]', 'three', 'four', 'five']],
  ['customWorkflow-for-each', undefined],
])('a custom workflow has its steps by their ids: %s', (name, expected) => {
  const { steps } = toRunSteps(logOf(historyOf(name)).events, [], true);
  if (expected !== undefined) expect(steps.map(({ id }) => id).sort()).toEqual([...expected].sort());
  expect(steps.every(({ kind }) => kind === 'tool' || kind === 'model')).toBe(true);
});

test('a local activity that is tried again after a timer is one step, with its attempts', () => {
  const marker = (data: object, more: object): HistoryEvent => {
    const payload = defaultPayloadConverter.toPayload({ activity_type: 'plan', ...data });
    const details = { data: { payloads: [payload] } };
    return {
      eventTime: null,
      markerRecordedEventAttributes: { markerName: 'core_local_activity', details, ...more },
    };
  };
  const { events } = logOf([
    marker({ attempt: 3, backoff: { seconds: 5 } }, { failure: { message: 'away' } }),
    marker({ attempt: 4, backoff: null }, {}),
  ]);
  expect(events.map(({ type, step }) => [type, step?.id, step?.attempt])).toEqual([
    ['step.scheduled', 'plan-1', 1],
    ['step.completed', 'plan-1', 4],
  ]);
});
