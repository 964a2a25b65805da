import { buildChanged } from './changed-workflows';
import { calculator, type RequestedCall } from './calls';

/**
 * Runs of `executeTool` do harm to their worker when they add one of these numbers. The sandbox of workflow code does
 * not stop code that wants to leave it, because a function of the host reaches the host's `process`.
 */
const HARM = {
  /** Ends the process as a crash of native code does. */
  abort: 666_001,
  /** Never returns. */
  stall: 666_002,
  /** Needs more memory than the thread may have. */
  heap: 666_003,
  /** Computes for less than a second, which is slow but harmless. */
  slow: 666_004,
} as const;

// The `process` of a thread has no abort(), so this sends the signal that abort() results in.
const TRAP = `
  const process = () => (URL as any).constructor('return process')();
  const harm = (call.args as { a?: unknown }).a;
  if (harm === ${HARM.abort}) {
    process().kill(process().pid, 'SIGABRT');
    for (;;);
  }
  if (harm === ${HARM.stall}) for (;;);
  if (harm === ${HARM.heap}) for (const kept: unknown[] = []; ; ) kept.push(new Array(100_000).fill(kept.length));
  if (harm === ${HARM.slow}) {
    let sum = call.toolName.length;
    for (let n = 0; n < 100_000_000; n += 1) sum = (sum + n) | 0;
    if (sum === 0.5) return undefined as never;
  }
`;

/** A build whose workflows contain the traps, in `dir`, an empty folder, for `spawnPart`. @returns its root */
export function buildHarmful(dir: string): Promise<string> {
  const start = '  const { output, executionTime, logs }';
  return buildChanged(dir, [{ file: 'execute-tool.ts', edits: [[start, `${TRAP}${start}`]] }]);
}

export function harmfulCall(kind: keyof typeof HARM): RequestedCall {
  return calculator('add', HARM[kind], 1);
}
