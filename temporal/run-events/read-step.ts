import type { Client } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { isHoldfastError } from '../../src/base/errors';
import type { RunEvent, RunStep } from '../../src/contracts/http/run-events';
import type { ApprovalOutcome } from '../../src/contracts/runs/approvals';
import { describeCallFailure } from '../../src/contracts/runs/call-failures';
import type { ExternalCallInput } from '../../src/contracts/runs/external-calls';
import { limitsOfCall } from '../../src/contracts/runs/calls';
import type { ToolCall, ToolStep } from '../../src/contracts/runs/tools';
import type { GenerateInput, GenerateResult, Plan, PlanInput } from '../../src/contracts/runs/workflows';
import { TemplateReferenceError } from '../../src/templates/resolve';
import type { Engine } from '../engine';
import { loadPayload, openLarge } from '../payloads/large-values';
import { readRunInput, readSecondInput } from '../runs/run-result';
import type { LocatedRun } from '../runs/run-lookup';
import type { AdmitBytes } from '../runs/started-run';
import { deriveInput, type DerivedRun, outputOfModel, UnderivableInput } from './derive-input';
import { isOfSteps } from './logged-events';
import { PendingSteps } from './pending-steps';
import { readHistory } from './read-history';
import { admitLog, dropOutput, toLogError } from './read-log';
import { RunLog } from './run-log';
import { toRunSteps } from './run-steps';
import { StepCollector, type StepPayloads } from './step-payloads';
import { readActivityCause, readCalls } from './step-outcome';

type Payload = temporal.api.common.v1.IPayload;

/** How long the history of a run may take, and then an input that is derived from it, milliseconds. */
const LIMIT_MS = 30_000;

export interface ReadStepOptions {
  readonly admit: AdmitBytes;
  readonly signal: AbortSignal;
}

/** One step of a run, with what it received and returned. The values are read when they are asked for. */
export interface FoundStep {
  readonly about: RunStep & { readonly summary?: string | undefined };
  /**
   * Reads what the step received: the arguments of a tool, the messages to a model, else the arguments of the activity.
   * @throws UnderivableInput if it is not known; HoldfastError of the store, `SERVICE_BUSY`, `ENGINE_UNAVAILABLE`
   */
  readInput(): Promise<unknown>;
  /**
   * Reads what the step returned, and what a tool printed. A large output of a tool stays in the store if the step has nothing else
   * that is long.
   * @returns undefined for a step that has not ended, or failed
   * @throws HoldfastError of the store, `SERVICE_BUSY`
   */
  readOutput(): Promise<StepOutput | undefined>;
}

export interface StepOutput {
  readonly output: unknown;
  readonly logs?: readonly string[] | undefined;
}

/**
 * Reads one step of a run from its history.
 * @param id as the log of the run has it
 * @returns undefined if the run has no such step by now
 * @throws HoldfastError `RUN_NOT_FOUND`, `ENGINE_UNAVAILABLE` (also if the time is up or the signal aborts), `SERVICE_BUSY`
 */
export async function readStep(
  engine: Engine,
  run: LocatedRun,
  id: string,
  options: ReadStepOptions,
): Promise<FoundStep | undefined> {
  const { derived, events, log } = await readSteps(engine, run, options);
  const payloads = derived.steps.get(id);
  const signs = run.isOpen
    ? await new PendingSteps(engine, run).look(() => log.openSteps).catch(() => [])
    : [];
  const step = toRunSteps(events, signs, !run.isOpen).steps.find((one) => one.id === id);
  if (payloads === undefined || step === undefined) return undefined;
  const { client } = engine.current();
  return {
    about: { ...step, summary: payloads.summary },
    readInput: () =>
      readInput(derived, payloads, (payload) => loadPayload(client, payload, options.admit)).catch(
        (error: unknown) => {
          throw toLogError(error, engine, run);
        },
      ),
    readOutput: async () =>
      (await openOutput(client, payloads)) ?? toOutput(payloads, await derived.readResult(id)),
  };
}

export interface ReadSteps {
  readonly derived: DerivedRun;
  /** Without outputs. */
  readonly events: readonly RunEvent[];
  readonly log: RunLog;
}

/**
 * Reads where the history of a run has the values of its steps.
 * @throws HoldfastError `RUN_NOT_FOUND`, `ENGINE_UNAVAILABLE` (also if the time is up or the signal aborts), `SERVICE_BUSY`
 */
export async function readSteps(
  engine: Engine,
  run: LocatedRun,
  options: ReadStepOptions,
): Promise<ReadSteps> {
  const { admit } = options;
  await admitLog(admit, run.historyLength);
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(LIMIT_MS)]);
  const collector = new StepCollector();
  const log = new RunLog(run);
  const events: RunEvent[] = [];
  try {
    const onRaw = collector.note.bind(collector);
    for await (const part of readHistory(engine, run, { follow: false, signal, needs: isOfSteps, onRaw })) {
      for (const event of part) {
        const logged = log.add(event);
        collector.add(logged);
        events.push(...logged.map(dropOutput));
      }
    }
  } catch (error) {
    throw toLogError(error, engine, run);
  }
  const connection = engine.current();
  const derived = derivedRun(collector, log.workflowType, run.runId, {
    load: (payload) => loadPayload(connection.client, payload, admit),
    readInput: () => readRunInput(connection, run, admit),
    readFiles: () => readSecondInput(connection, run, admit),
    signal,
  });
  return { derived, events, log };
}

interface ValueReaders {
  load(payload: Payload): Promise<unknown>;
  readInput(): Promise<unknown>;
  readFiles(): Promise<unknown>;
  readonly signal?: AbortSignal;
}

/** Builds what inputs are derived from. */
export function derivedRun(
  { steps, answers, taskQueue }: Pick<StepCollector, 'steps' | 'answers' | 'taskQueue'>,
  workflowType: string,
  runId: string,
  { load, readInput, readFiles, signal }: ValueReaders,
): DerivedRun {
  const read = async (payload: Payload | undefined): Promise<unknown> =>
    payload === undefined ? undefined : load(payload);
  return {
    workflowType,
    runId,
    steps,
    signal,
    readInput,
    readFiles,
    async readResult(id) {
      const payloads = steps.get(id);
      const result = await read(payloads?.result);
      if (payloads?.step.kind !== 'tool' || result === undefined) return result;
      const call = readCalls(result)[payloads.place];
      return call?.succeeded === true ? call.result : undefined;
    },
    async readFailure(id, call, runLimits) {
      const { failure, input } = steps.get(id) ?? {};
      const cause = failure && readActivityCause(failure);
      if (failure === undefined || cause === 'cancelled') return undefined;
      // A call near the end of its run's budget has less time than others.
      const made = (await read(input?.[0])) as Partial<ToolStep> | undefined;
      const limits = made?.limits ?? limitsOfCall(call, runLimits);
      return describeCallFailure(cause, call, { limits, taskQueue });
    },
    readAnswer: async (id) => (await read(answers.get(id))) as ApprovalOutcome | undefined,
  };
}

/** @throws as `FoundStep.readInput` does */
export async function readInput(
  run: DerivedRun,
  { step: { id, kind, name }, input }: StepPayloads,
  load: (payload: Payload) => Promise<unknown>,
): Promise<unknown> {
  if (input === undefined) {
    if (kind === 'tool' || name === 'generate') return derive(run, id);
    throw new UnderivableInput('it ran inside the workflow task, whose inputs the history does not keep');
  }
  const [payload] = input;
  const first = payload && (await load(payload));
  if (kind === 'tool') {
    const made = first as ToolCall | ExternalCallInput;
    return ('call' in made ? made.call : made).args;
  }
  if (name === 'generate' || name === 'plan') {
    const { messages, schema } = first as GenerateInput & PlanInput;
    return { messages, schema };
  }
  // Its second argument is the files of the turn, of which the first one has the heads.
  if (input.length < 2 || name === 'answerTurn') return first ?? null;
  return [first, ...(await Promise.all(input.slice(1).map(load)))];
}

async function derive(run: DerivedRun, id: string): Promise<unknown> {
  try {
    return await deriveInput(run, id);
  } catch (error) {
    if (error instanceof UnderivableInput || isHoldfastError(error)) throw error;
    // A run of an earlier build may have values of another form.
    if (error instanceof TemplateReferenceError || error instanceof TypeError)
      throw new UnderivableInput(`it cannot be derived from the history: ${error.message}`);
    throw error;
  }
}

function toOutput({ step: { kind, name } }: StepPayloads, result: unknown): StepOutput | undefined {
  if (result === undefined) return undefined;
  if (kind === 'tool') {
    const { output = null, logs } = result as StepOutput;
    return { output, logs };
  }
  if (name === 'generate') return { output: outputOfModel(result as GenerateResult) };
  if (name !== 'plan') return { output: result };
  const { content, calls } = result as Plan;
  return { output: { content, calls: calls.map(({ call: { toolName, args } }) => ({ toolName, args })) } };
}

/** Opens a large output of a tool whose activity ran one call, with what it printed, if that is short: the output is the last field. */
async function openOutput(
  client: Client,
  { step, input, result }: StepPayloads,
): Promise<StepOutput | undefined> {
  const stored = step.kind === 'tool' && input !== undefined ? await openLarge(client, result) : undefined;
  const last = stored?.lastField('output');
  return last && { output: last.value, logs: (last.before as StepOutput).logs };
}
