import type { Client } from '@temporalio/client';
import type { Answer } from './http';
import { figures } from './runs';
import type { SharedService } from './service';
import { summariesOfSteps } from './step-summaries';

export interface CountedRun {
  readonly answer: Answer;
  /** How many calls were counted for the run. */
  readonly counted: { readonly succeeded: number; readonly failed: number };
  /** The summaries of its local activities and regular ones. */
  readonly steps: readonly string[];
}

/** Makes a request that starts a run, on a service that runs nothing else meanwhile. */
export async function runAndCount(
  service: SharedService,
  client: Client,
  path: string,
  body: unknown,
): Promise<CountedRun> {
  const before = await figures(service);
  const answer = await service.post(path, body);
  const after = await figures(service);
  return {
    answer,
    counted: {
      succeeded: after.successfulExecutions - before.successfulExecutions,
      failed: after.failedExecutions - before.failedExecutions,
    },
    steps: await summariesOfSteps(client, answer),
  };
}
