import type { Engine } from '../../temporal/engine';
import { hideInResult } from '../../temporal/payloads/hide-in-stored';
import { readRunSteps } from '../../temporal/run-events/read-run-steps';
import type { StepsOfRun } from '../../temporal/run-events/run-steps';
import type { RequestContext } from '../http/route';
import type { RunRecord } from '../../temporal/runs/run-lookup';

/** Adds its steps and tokens to the record of a run, and strikes out the credentials of the whole. */
export async function withSteps(
  engine: Engine,
  record: RunRecord,
  { redactor }: Pick<RequestContext, 'redactor'>,
): Promise<RunRecord & Partial<StepsOfRun>> {
  const { result, ...about } = { ...record, ...(await readRunSteps(engine, record)) };
  const shown = redactor.value(about);
  return result === undefined ? shown : { ...shown, result: hideInResult(result, redactor) };
}
