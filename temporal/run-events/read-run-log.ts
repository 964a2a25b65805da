import { isRunEnd } from '../../src/contracts/http/run-events';
import type { RunEvent } from '../../src/contracts/http/run-events';
import type { Engine } from '../engine';
import type { StartedRun } from '../started-run';
import type { OpenStep } from './run-log';
import { readHistory } from './read-history';
import { RunLog } from './run-log';

/** The log of a run as it is at a moment. */
export interface RunLogSoFar {
  readonly events: readonly RunEvent[];
  /** Whether the last event is the end of the run. */
  readonly hasEnded: boolean;
  /** The steps whose end is not in the log. */
  readonly open: readonly OpenStep[];
}

/**
 * Reads the log of a run as far as it goes now.
 * @throws the client's error where the history cannot be read; `EngineDeadlineError` where the signal aborts
 */
export async function readRunLog(engine: Engine, run: StartedRun, signal: AbortSignal): Promise<RunLogSoFar> {
  const log = new RunLog(run);
  const events: RunEvent[] = [];
  for await (const page of readHistory(engine, run, { follow: false, signal }))
    for (const event of page) events.push(...log.add(event));
  const last = events.at(-1);
  return { events, hasEnded: last !== undefined && isRunEnd(last), open: log.openSteps };
}
