import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  type ReplayResult,
  Runtime,
  Worker,
} from '@temporalio/worker';
import { type RecordedHistory, workflowIdOf } from './histories';

/** Today's workflows. */
export const BUNDLE = resolve(__dirname, '..', '..', 'dist', 'workflow-bundle.js');

/** Prepares the SDK for a suite that replays. */
export function useReplays(): void {
  beforeAll(() => {
    // Violations are expected, and the SDK would log them at length.
    Runtime.install({
      logger: new DefaultLogger('ERROR', () => undefined),
      telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }) } },
      shutdownSignals: [],
    });
  });

  afterAll(() => Runtime.instance().shutdown());
}

/** Replays histories against the workflows in the file `bundle`. @returns results by the histories' names */
export async function replay(
  bundle: string,
  histories: Iterable<readonly [string, RecordedHistory]>,
): Promise<Map<string, ReplayResult>> {
  if (!existsSync(bundle)) throw new Error(`${bundle} is missing; run npm run build`);
  const items = [...histories].map(([name, history]) => ({
    name,
    history,
    workflowId: workflowIdOf(history) ?? name,
  }));
  const names = new Map(items.map(({ workflowId, name }) => [workflowId, name]));
  const results = new Map<string, ReplayResult>();
  const options = { workflowBundle: { codePath: bundle }, replayName: 'stored-histories' };
  for await (const result of Worker.runReplayHistories(options, items))
    results.set(names.get(result.workflowId) ?? result.workflowId, result);
  return results;
}
