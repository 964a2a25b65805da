import { fitDetail, LONG_DETAIL } from '../../src/contracts/json';
import type { Redactor } from '../../src/secrets/redactor';
import type { Engine } from '../../temporal/engine';
import { hideInResult } from '../../temporal/payloads/large-values';
import { StoredJson } from '../../temporal/payloads/stored-json';
import { readRunSteps } from '../../temporal/run-events/read-run-steps';
import type { StepsOfRun } from '../../temporal/run-events/run-steps';
import { callEngine } from '../../temporal/runs/call-engine';
import type { RunRecord } from '../../temporal/runs/run-lookup';
import { openRunInput } from '../../temporal/runs/run-result';
import { pathOfRun } from '../path-of-run';
import { toRunInput } from './run-input';

/** How long a record waits for the input of its run, milliseconds. */
const INPUT_LIMIT_MS = 5_000;

type AnsweredRun = RunRecord & Partial<StepsOfRun> & Partial<ShownInput>;

/** Adds its input, its steps and its tokens to the record of a run, and strikes out the credentials of the whole. */
export async function withSteps(
  engine: Engine,
  record: RunRecord,
  { redactor }: { readonly redactor: Redactor },
): Promise<AnsweredRun> {
  const [input, steps] = await Promise.all([
    readShownInput(engine, record, redactor),
    readRunSteps(engine, record),
  ]);
  const { result, ...about } = { ...record, ...input, ...steps };
  const shown = redactor.value(about);
  return result === undefined ? shown : { ...shown, result: hideInResult(result, redactor) };
}

interface ShownInput {
  readonly input: unknown;
  readonly links?: { readonly input: string };
}

/** Reads the input of a run for its record. @returns empty if it cannot be read in time, as `readRunSteps` does */
async function readShownInput(
  engine: Engine,
  { workflowId, runId, type }: RunRecord,
  redactor: Redactor,
): Promise<Partial<ShownInput>> {
  try {
    const read = await callEngine(engine, INPUT_LIMIT_MS, (connection) =>
      openRunInput(connection, { workflowId, runId }),
    );
    const whole = read instanceof StoredJson ? LONG_DETAIL : toRunInput(type, read, redactor);
    const input = read instanceof StoredJson ? whole : fitDetail(whole);
    if (input === undefined) return {};
    const isWhole = input === whole && whole !== LONG_DETAIL;
    return isWhole ? { input } : { input, links: { input: pathOfRun({ workflowId, runId }, '/input') } };
  } catch {
    return {};
  }
}
