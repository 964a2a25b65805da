import { successOf } from '../errors.js';
import { type Command, parseJson, readFields, readPairs } from './command.js';
import { formatFields } from './output.js';

/** Another `config` or `result` of a step. The service checks it. */
type Override = Readonly<Record<string, unknown>>;

export const rerun: Command = {
  summary: 'starts a run again, whole or from a step',
  operands: ['ID'],
  options: { from: 'STEP', input: 'NAME=VALUE...', override: 'STEP=JSON...' },
  async run({ client, operands: [traceId = ''], option, options }, output) {
    const [fromStep, inputs] = [option('from'), options('input')];
    const overrides = readPairs(options('override')).map(
      ([step, text]) => [step, parseJson(text, `The override of ${step}`) as Override] as const,
    );
    const answer = await client.POST('/api/runs/{traceId}/rerun', {
      params: { path: { traceId } },
      body: {
        fromStep,
        inputs: inputs.length === 0 ? undefined : readFields(inputs),
        overrides: overrides.length === 0 ? undefined : Object.fromEntries(overrides),
      },
    });
    const { data } = successOf(answer);
    output.print(data, () =>
      formatFields({
        'trace id': data.traceId,
        'workflow id': data.workflowId,
        status: data.status,
        'rerun of': data.rerunOf.traceId,
        reused: data.reused.join(', '),
      }),
    );
    return undefined;
  },
};
