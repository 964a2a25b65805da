import type { PreparedChild } from '../src/contracts/runs/scheduled';
import { fitSubject, type RunRequest } from '../temporal/runs/run-client';
import { toMemo } from '../temporal/runs/run-memo';
import { type KnownAttributes, toSearchAttributes } from '../temporal/search-attributes';

/**
 * Prepares a run that a workflow starts as its child, with the memo and the search attributes that the API would give it. Pure.
 * @param known the search attributes that the server has
 */
export function toPreparedChild(run: RunRequest, known: KnownAttributes): PreparedChild {
  const { workflowType, workflowId, input, files, summary, runTimeoutMs, startBefore } = run;
  const pairs = toSearchAttributes(fitSubject(run.subject), known).getAll();
  return {
    workflowType,
    workflowId,
    input,
    files: files?.current,
    summary,
    runTimeoutMs,
    startBefore,
    memo: toMemo(run),
    attributes: Object.fromEntries(pairs.map(({ key, value }) => [key.name, value as string | string[]])),
  };
}
