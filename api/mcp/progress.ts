import type { ServerContext } from '@modelcontextprotocol/server';
import { SILENCE_MS } from '../http/event-stream';
import type { RunFeeds } from '../../temporal/run-events/run-feeds';
import type { StartedRun } from '../../temporal/runs/started-run';
import { metaOfRun } from './call-results';

export interface ProgressReport {
  /** Reports the events of a run from now on, where the client asked for that. */
  follow(run: StartedRun): void;
  /** Waits until all events of a run that has ended are sent. */
  end(): Promise<void>;
  stop(): void;
}

/** Reports the events of the run of a request as its progress. It costs nothing where the client sent no token. */
export function reportProgress(feeds: RunFeeds, { mcpReq }: ServerContext): ProgressReport {
  const progressToken = mcpReq._meta?.progressToken;
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, mcpReq.signal]);
  let reporting: Promise<void> | undefined;

  async function report(run: StartedRun): Promise<void> {
    for await (const item of feeds.follow(run, { after: 0, silenceMs: SILENCE_MS, signal })) {
      // Signs of life have no sequence, and progress must increase.
      if (item === undefined || !('sequence' in item)) continue;
      const message = item.summary ?? item.step?.name ?? item.type;
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress: item.sequence, message, _meta: metaOfRun(run) },
      });
    }
  }

  return {
    follow(run) {
      if (progressToken === undefined) return;
      // A report that breaks off takes nothing from the result.
      reporting ??= report(run).catch(() => undefined);
    },
    end: async () => reporting,
    stop: () => stopping.abort(),
  };
}
