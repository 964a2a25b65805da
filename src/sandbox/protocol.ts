import type { SandboxLimits, SourceProblem } from './sandbox';

/** What a thread is asked. Values travel as JSON text: cheaper than a structured clone, and no getter runs. */
export type ThreadRequest =
  | {
      readonly kind: 'run';
      readonly source: string;
      readonly argumentsText: string;
      /** On the clock of `monotonicMs`: from here on the engine's own interrupt ends the evaluation. */
      readonly stopAtMs: number;
    }
  | { readonly kind: 'check'; readonly source: string }
  | { readonly kind: 'query'; readonly documentText: string; readonly path: string };

export type ThreadReply =
  | { readonly kind: 'value'; readonly text: string; readonly logs: readonly string[] }
  | { readonly kind: 'failure'; readonly message: string; readonly logs: readonly string[] }
  /** The soft limit ended the evaluation. */
  | { readonly kind: 'stopped'; readonly logs: readonly string[] }
  | { readonly kind: 'checked'; readonly problem: SourceProblem | undefined };

export interface ThreadMessage {
  readonly reply: ThreadReply;
  /** True after an abnormal end: the engine's memory can no longer be trusted, so the thread must be replaced. */
  readonly spent: boolean;
}

export interface ThreadData {
  readonly limits: SandboxLimits;
}

/** Milliseconds on a clock that all threads of the process share and that never jumps. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
