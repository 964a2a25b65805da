import { readFileSync } from 'node:fs';
import { HoldfastApiError, successOf } from '../errors.js';
import type { HoldfastClient, Schemas, WorkflowDefinition } from '../index.js';
import { type Command, parseJson, readFields, UsageError } from './command.js';
import { formatTable, formatValue } from './output.js';
import { finish } from './tools.js';

export const runWorkflow: Command = {
  summary: 'runs the workflow of a JSON file; - reads the standard input',
  operands: ['FILE'],
  options: { input: 'NAME=VALUE...', 'dry-run': '' },
  async run({ client, operands: [file = ''], options, has }, output) {
    // The service checks the definition.
    const workflow = parseJson(readText(file), file) as WorkflowDefinition;
    const inputs = readFields(options('input'));
    try {
      const call = client.POST('/api/workflow/execute-custom', {
        body: { workflow, inputs, dryRun: has('dry-run') },
      });
      const data = await finish(client, call, output);
      output.print(data, () =>
        data.status === 'valid' ? 'The workflow is valid.' : formatValue(resultsOf(data)),
      );
      return undefined;
    } catch (error) {
      if (!(error instanceof HoldfastApiError) || error.status !== 400) throw error;
      const problems = await findProblems(client, workflow, inputs);
      if (problems.length === 0) throw error;
      output.print({ valid: false, problems }, () =>
        formatTable(
          ['STEP', 'FIELD', 'PROBLEM'],
          problems.map(({ step, field, message }) => [step ?? '-', field, message]),
        ),
      );
      throw error;
    }
  },
};

async function findProblems(
  client: HoldfastClient,
  workflow: unknown,
  inputs: Record<string, unknown>,
): Promise<Schemas['WorkflowProblem'][]> {
  const answer = await client.POST('/api/workflow/validate', { body: { workflow, inputs } });
  return successOf(answer).data.problems;
}

function resultsOf({ results }: Schemas['CustomWorkflowResult']): unknown {
  return Object.fromEntries(
    Object.entries(results).map(([id, { status, result, error }]) => [
      id,
      status === 'completed' ? result : { status, error },
    ]),
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
