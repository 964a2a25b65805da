import type { Answer } from './http';
import type { Api } from './stage';

export interface LightCalls {
  /** Milliseconds of each call, in order. */
  readonly times: readonly number[];
  /** Rejects as soon as a call is not answered with 200; never resolves. */
  readonly failed: Promise<never>;
  /** Ends after the call that is under way. */
  stop(): Promise<void>;
}

/** One inline call: it runs as a local activity of the workflows' worker. */
export function inlineCall(api: Api): Promise<Answer> {
  return api.post('/api/tools/execute', {
    toolName: 'calculator',
    args: { operation: 'add', a: 1, b: 2 },
  });
}

/** Makes inline calls one after another until it is stopped. */
export function startInlineCalls(api: Api): LightCalls {
  const times: number[] = [];
  let stopped = false;
  let fail: (reason: unknown) => void;
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => undefined);
  const run = async (): Promise<void> => {
    while (!stopped) {
      const started = performance.now();
      const { status, text } = await inlineCall(api);
      times.push(performance.now() - started);
      if (status !== 200) throw new Error(`an inline call was answered with ${status}: ${text}`);
    }
  };
  const done = run().catch((error: unknown) => fail(error));
  return {
    times,
    failed,
    stop() {
      stopped = true;
      return done;
    },
  };
}
