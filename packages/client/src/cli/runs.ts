import { successOf } from '../errors.js';
import type { ApiPaths, Run, RunEvent, RunSign } from '../index.js';
import type { Command } from './command.js';
import { formatFields, formatTable, formatValue } from './output.js';

type Query = NonNullable<ApiPaths['/api/runs']['get']['parameters']['query']>;

export const listRuns: Command = {
  summary: 'lists runs, newest first',
  operands: [],
  options: {
    area: 'AREA',
    status: 'STATUS',
    type: 'TYPE',
    tool: 'TOOL',
    user: 'USER',
    session: 'SESSION',
    since: 'TIME',
    until: 'TIME',
    limit: 'N',
    cursor: 'CURSOR',
  },
  async run({ client, option }, output) {
    const filters = ['area', 'status', 'type', 'tool', 'since', 'until', 'limit', 'cursor'];
    // The service checks the values.
    const query = {
      ...Object.fromEntries(filters.map((name) => [name, option(name)])),
      userId: option('user'),
      sessionId: option('session'),
    } as Query;
    const { data } = successOf(await client.GET('/api/runs', { params: { query } }));
    const { runs, next } = data as Exclude<typeof data, Run>;
    output.print(data, () =>
      formatTable(
        ['STARTED', 'STATUS', 'AREA', 'TYPE', 'TOOK', 'TRACE ID'],
        runs.map((run) => [
          run.startedAt,
          run.status,
          run.area,
          run.type,
          formatTime(run.startedAt, run.closedAt),
          run.traceId,
        ]),
      ),
    );
    if (next !== undefined && !output.isJson) output.note(`There are more: --cursor ${next}`);
    return undefined;
  },
};

export const showRun: Command = {
  summary: 'shows a run, or a step of it with its input and output',
  operands: ['ID'],
  options: { step: 'STEP' },
  async run({ client, operands: [traceId = ''], option }, output) {
    const stepId = option('step');
    if (stepId !== undefined) {
      const answer = await client.GET('/api/runs/{traceId}/steps/{stepId}', {
        params: { path: { traceId, stepId } },
      });
      const { data } = successOf(answer);
      output.print(data, () => formatValue(data));
      return undefined;
    }
    const { data } = successOf(await client.GET('/api/runs/{traceId}', { params: { path: { traceId } } }));
    output.print(data, () => formatRun(data));
    return undefined;
  },
};

export const followRun: Command = {
  summary: 'prints the events of a run until it ends',
  operands: ['ID'],
  options: { after: 'SEQUENCE' },
  async run({ client, operands: [traceId = ''], option }, output) {
    const run = client.run(traceId);
    const after = option('after');
    for await (const event of run.events(after === undefined ? {} : { after: Number(after) })) {
      if (output.isJson || event.type !== 'message.delta') output.print(event, () => formatEvent(event));
    }
    // There is no event after the last one, so the record says how the run ended.
    return (await run.wait()).status === 'completed' ? undefined : 1;
  },
};

export const cancelRun: Command = {
  summary: 'cancels a run',
  operands: ['ID'],
  options: { reason: 'TEXT' },
  async run({ client, operands: [traceId = ''], option }, output) {
    const reason = option('reason');
    const answer = await client.POST('/api/runs/{traceId}/cancel', {
      params: { path: { traceId } },
      body: reason === undefined ? {} : { reason },
    });
    const { data } = successOf(answer);
    output.print(data, () =>
      answer.response.status === 202 ? 'The run will be cancelled.' : `The run has ended: ${data.status}`,
    );
    return undefined;
  },
};

function formatRun(run: Run): string {
  const { steps = [], error, usage, result } = run;
  const fields = formatFields({
    'trace id': run.traceId,
    'workflow id': run.workflowId,
    type: run.type,
    status: run.status,
    started: run.startedAt,
    took: formatTime(run.startedAt, run.closedAt),
    tokens: usage?.totalTokens,
    error: error && `${error.code}: ${error.message}`,
  });
  const table = formatTable(
    ['STEP', 'NAME', 'STATUS', 'ATTEMPTS', 'TOOK', 'ERROR'],
    steps.map((step) => [
      step.id,
      step.name,
      step.status,
      step.attempts,
      formatTime(step.scheduledAt, step.endedAt),
      step.error?.message,
    ]),
  );
  return [
    fields,
    ...(steps.length === 0 ? [] : [table]),
    ...(result === undefined ? [] : [formatValue(result)]),
  ].join('\n\n');
}

function formatEvent(event: RunEvent | RunSign): string {
  const { step } = event;
  const text = ('summary' in event && event.summary) || (step && `${step.id} ${step.name}`);
  const error = ('error' in event && event.error) || ('lastError' in event && event.lastError);
  const approval = 'approval' in event && event.approval?.id;
  return [event.time, event.type.padEnd(18), text, approval, error && `${error.code}: ${error.message}`]
    .filter((part) => part)
    .join('  ')
    .trimEnd();
}

/** The time between two times, in seconds; undefined without an end. */
function formatTime(start: string, end: string | null | undefined): string | undefined {
  return end == null ? undefined : `${((Date.parse(end) - Date.parse(start)) / 1_000).toFixed(2)} s`;
}
