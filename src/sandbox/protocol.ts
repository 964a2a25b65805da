import type { SandboxLimits, SourceProblem } from './sandbox';

/** A request to a thread. Values are sent as JSON text, which is cheaper than a structured clone and runs no getter. */
export type ThreadRequest =
  | {
      readonly kind: 'run';
      readonly source: string;
      readonly argumentsText: string;
      /** The time, on the clock of `monotonicMs`, at which the engine's own interrupt ends the evaluation. */
      readonly stopAtMs: number;
    }
  | { readonly kind: 'check'; readonly source: string }
  | { readonly kind: 'query'; readonly documentText: string; readonly path: string }
  | {
      readonly kind: 'schema';
      readonly schemaText: string;
      /** Undefined if the schema itself is checked. */
      readonly valueText: string | undefined;
      /** Whether the value gets the defaults of what it leaves out. */
      readonly fills: boolean;
    }
  /** A text that may be JSON, in UTF-8. */
  | { readonly kind: 'rewrite'; readonly bytes: Uint8Array };

export type ThreadReply =
  | { readonly kind: 'value'; readonly text: string; readonly logs: readonly string[] }
  | { readonly kind: 'failure'; readonly message: string; readonly logs: readonly string[] }
  /** The soft limit ended the evaluation. */
  | { readonly kind: 'stopped'; readonly logs: readonly string[] }
  | { readonly kind: 'checked'; readonly problem: SourceProblem | undefined }
  /** Undefined if the text is not JSON. */
  | { readonly kind: 'rewritten'; readonly bytes: Uint8Array | undefined };

export interface ThreadMessage {
  readonly reply: ThreadReply;
  /** Whether the evaluation ended abnormally, so that the engine's memory may be corrupt and the thread must be replaced. */
  readonly spent: boolean;
}

export interface ThreadData {
  readonly limits: SandboxLimits;
  /** The compiled WebAssembly module of QuickJS. */
  readonly engineCode: object;
}

/** The time in milliseconds on a monotonic clock that all threads of the process share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
