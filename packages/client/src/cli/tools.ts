import { successOf } from '../errors.js';
import type { AcceptedRun, Answer, Finished, HoldfastClient } from '../index.js';
import { type Command, parseJson, readFields, UsageError } from './command.js';
import { formatTable, formatValue, type Output } from './output.js';

export const listTools: Command = {
  summary: 'lists the tools',
  operands: [],
  async run({ client }, output) {
    const { data } = successOf(await client.GET('/api/tools'));
    output.print(data, () =>
      formatTable(
        ['NAME', 'ARGUMENTS', 'DESCRIPTION'],
        data.map(({ name, parameters, description }) => [
          name,
          Object.keys(parameters).join(', '),
          description,
        ]),
      ),
    );
    return undefined;
  },
};

export const runTool: Command = {
  summary: 'runs a tool and prints its result',
  operands: ['NAME', '[ARGUMENT=VALUE]...'],
  options: { args: 'JSON' },
  async run({ client, operands: [toolName = '', ...pairs], option }, output) {
    const given = parseJson(option('args') ?? '{}', '--args');
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      throw new UsageError('--args is no JSON object');
    const call = client.POST('/api/tools/execute', {
      body: { toolName, args: { ...given, ...readFields(pairs) } },
    });
    const data = await finish(client, call, output);
    output.print(data, () => formatValue(data.result));
    return undefined;
  },
};

/** Waits for the run of a call, and notes if it takes long or waits for a person. @returns the `data` of the run */
export async function finish<B extends { readonly data: unknown }>(
  client: HoldfastClient,
  call: Promise<Answer<B>>,
  output: Output,
): Promise<Finished<B['data']>> {
  const answer = await call;
  if (answer.response.status === 202) {
    const { traceId, approvals = [] } = (answer.data as { readonly data: AcceptedRun }).data;
    output.note(`Waiting for the run ${traceId}`);
    for (const { id } of approvals) output.note(`It waits for the approval ${id}`);
  }
  return client.result(Promise.resolve(answer));
}
