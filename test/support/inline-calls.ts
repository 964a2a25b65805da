import type { Api } from './stage';

export interface InlineCalls {
  /** Rejects as soon as a call is not answered with 200; never resolves. */
  readonly failed: Promise<never>;
  /** Ends after the call that is under way. */
  stop(): Promise<void>;
}

/** Makes inline calls one after another until it is stopped. Each runs as a local activity of the workflows' worker. */
export function startInlineCalls(api: Api): InlineCalls {
  let stopped = false;
  let fail: (reason: unknown) => void;
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => undefined);
  const run = async (): Promise<void> => {
    while (!stopped) {
      const { status, text } = await api.post('/api/tools/execute', {
        toolName: 'calculator',
        args: { operation: 'add', a: 1, b: 2 },
      });
      if (status !== 200) throw new Error(`an inline call was answered with ${status}: ${text}`);
    }
  };
  const done = run().catch((error: unknown) => fail(error));
  return {
    failed,
    stop() {
      stopped = true;
      return done;
    },
  };
}
