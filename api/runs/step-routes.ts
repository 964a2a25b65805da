import { isAgentTool } from '../../src/contracts/runs/agent-calls';
import { z } from 'zod';
import { toRunInput } from '../../requests/answers/run-input';
import { HoldfastError, isHoldfastError } from '../../src/base/errors';
import { runStepSchema } from '../../src/contracts/http/run-events';
import { fitDetail, LONG_DETAIL } from '../../src/contracts/json';
import type { Engine } from '../../temporal/engine';
import { hideInResult } from '../../temporal/payloads/large-values';
import { StoredJson } from '../../temporal/payloads/stored-json';
import { UnderivableInput } from '../../temporal/run-events/derive-input';
import { type FoundStep, readStep } from '../../temporal/run-events/read-step';
import { callEngine } from '../../temporal/runs/call-engine';
import type { LocatedRun, ShownRuns } from '../../temporal/runs/run-lookup';
import { readRunInput } from '../../temporal/runs/run-result';
import { locateYoungRun } from '../../temporal/runs/young-run';
import { pathOfRun } from '../../requests/path-of-run';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute, type RequestContext } from '../http/route';
import { linksSchema, traceIdParams, workflowIdSchema } from './run-schema';
import { runTokenQuery } from './token-routes';

/** How long the input of a run may take, which may have to be fetched from a store, milliseconds. */
const INPUT_LIMIT_MS = 30_000;

const query = z.strictObject({ workflowId: workflowIdSchema.optional(), token: runTokenQuery });
const stepParams = traceIdParams.extend({
  stepId: z.string().min(1).max(500).describe('The `id` of the step in the record of the run'),
});

export const stepSchema = runStepSchema.extend({
  summary: z.string().optional().describe('As in the events of the run'),
  input: z
    .unknown()
    .optional()
    .describe(
      'What the step received: the arguments of a tool, the `messages` to a model, else what the Temporal activity got; ' +
        'a note of its length if it is long',
    ),
  inputNote: z.string().optional().describe('Why there is no `input`'),
  output: z
    .unknown()
    .optional()
    .describe(
      'What the step returned; a note of its length if it is long. Absent before its end, and if it failed',
    ),
  logs: z
    .unknown()
    .optional()
    .describe('What a tool printed, line by line; a note of its length if it is long'),
  links: linksSchema,
});

const COMMON = { method: 'get', access: 'read', takesRunToken: true, tag: 'Runs' } as const;
const value = z.unknown().describe('The value, without credentials');

/** The routes that show what a run and its steps received and returned. */
export function stepRoutes(engine: Engine, shown: ShownRuns): AnyRoute[] {
  type Params = z.output<typeof stepParams>;
  type Query = z.output<typeof query>;
  const locate = (
    { traceId }: Pick<Params, 'traceId'>,
    { workflowId }: Query,
    { owner }: RequestContext,
  ): Promise<LocatedRun> => locateYoungRun(engine, { ...shown, owner }, { traceId, workflowId });
  async function find(
    params: Params,
    query: Query,
    context: RequestContext,
  ): Promise<[LocatedRun, FoundStep]> {
    const run = await locate(params, query, context);
    const options = { admit: context.admit, signal: context.signal() };
    const step = await readStep(engine, run, params.stepId, options);
    if (step === undefined) throw notFound(`The run has no step "${params.stepId}"`);
    return [run, step.about.kind === 'run' ? asRun(step, shown, context.redactor) : step];
  }

  return [
    defineRoute({
      ...COMMON,
      path: '/api/runs/:traceId/input',
      ...documentedAs('getRunInput'),
      summary: 'What a run was asked, whole',
      message: 'Input retrieved successfully',
      request: { params: traceIdParams, query },
      response: value,
      async handler({ params, query }, context) {
        const run = await locate(params, query, context);
        const input = await callEngine(engine, INPUT_LIMIT_MS, (connection) =>
          readRunInput(connection, run, context.admit),
        );
        return context.redactor.value(toRunInput(run.type, input, context.redactor) ?? null);
      },
    }),
    defineRoute({
      ...COMMON,
      path: '/api/runs/:traceId/steps/:stepId',
      ...documentedAs('getRunStep'),
      summary: 'A step of a run, with its input and output',
      description:
        'A value above 16,384 characters of JSON is a note of its length here, and `links` has where it is whole. The ' +
        'input of a calculation that ran inside the workflow task is derived from the input of the run.',
      message: 'Step retrieved successfully',
      request: { params: stepParams, query },
      response: stepSchema,
      async handler({ params, query }, context) {
        const [run, step] = await find(params, query, context);
        const [input, output] = await Promise.all([inputOf(step), outputOf(step)]);
        const path = (end: string): string =>
          pathOfRun(run, `/steps/${encodeURIComponent(params.stepId)}/${end}`);
        const links = {
          ...(input.isLeftOut === true ? { input: path('input') } : {}),
          ...(output.isLeftOut === true ? { output: path('output') } : {}),
        };
        const { isLeftOut: _, ...received } = input;
        const { isLeftOut: __, ...returned } = output;
        const all = { ...step.about, ...received, ...returned };
        return context.redactor.value(Object.keys(links).length === 0 ? all : { ...all, links });
      },
    }),
    defineRoute({
      ...COMMON,
      path: '/api/runs/:traceId/steps/:stepId/input',
      ...documentedAs('getRunStepInput'),
      summary: 'What a step of a run received, whole',
      message: 'Input retrieved successfully',
      request: { params: stepParams, query },
      response: value,
      async handler({ params, query }, context) {
        const [, step] = await find(params, query, context);
        try {
          return context.redactor.value(await step.readInput());
        } catch (error) {
          if (!(error instanceof UnderivableInput)) throw error;
          throw notFound(`The input of the step "${params.stepId}" is not known: ${error.message}`);
        }
      },
    }),
    defineRoute({
      ...COMMON,
      path: '/api/runs/:traceId/steps/:stepId/output',
      ...documentedAs('getRunStepOutput'),
      summary: 'What a step of a run returned, whole',
      message: 'Output retrieved successfully',
      request: { params: stepParams, query },
      response: value,
      async handler({ params, query }, context) {
        const [, step] = await find(params, query, context);
        const read = await step.readOutput();
        if (read === undefined) throw notFound(`The step "${params.stepId}" has returned nothing`);
        return hideInResult(read.output, context.redactor);
      },
    }),
  ];
}

/** A step that is a run itself, with input and output as the record of that run has them. */
function asRun(step: FoundStep, { toData }: ShownRuns, redactor: RequestContext['redactor']): FoundStep {
  const { name } = step.about;
  const type = isAgentTool(name) ? 'agentTurn' : name;
  return {
    about: step.about,
    readInput: async () => toRunInput(type, await step.readInput(), redactor) ?? null,
    async readOutput() {
      const read = await step.readOutput();
      return read && { output: await toData(type, read.output, () => step.readInput()) };
    },
  };
}

/** A value as a record shows it, and whether a note stands in its place. */
interface Shown {
  readonly isLeftOut?: boolean;
  readonly input?: unknown;
  readonly inputNote?: string;
  readonly output?: unknown;
  readonly logs?: unknown;
}

async function inputOf(step: FoundStep): Promise<Shown> {
  try {
    const whole = await step.readInput();
    const input = fitDetail(whole);
    return { input, isLeftOut: input !== whole };
  } catch (error) {
    if (error instanceof UnderivableInput) return { inputNote: error.message };
    // A value that cannot be read is no reason to hide the other.
    if (isHoldfastError(error) && error.code !== 'SERVICE_BUSY') return { inputNote: error.message };
    throw error;
  }
}

async function outputOf(step: FoundStep): Promise<Shown> {
  const read = await step.readOutput();
  if (read === undefined) return {};
  const logs = read.logs === undefined ? {} : { logs: fitDetail(read.logs) };
  if (read.output instanceof StoredJson) return { output: LONG_DETAIL, ...logs, isLeftOut: true };
  const output = fitDetail(read.output);
  return { output, ...logs, isLeftOut: output !== read.output };
}

function notFound(message: string): HoldfastError {
  return new HoldfastError('STEP_NOT_FOUND', message);
}
