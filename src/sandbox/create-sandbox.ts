import { LARGE_PIECE_BYTES, nextLargePiece } from '../base/async/large-pieces';
import { compiledEntry } from '../base/compiled-entry';
import { HoldfastError, messageOf, toolError } from '../base/errors';
import type { RunOwner } from '../contracts/runs/run-owner';
import { isOutOfMemory, toError, unwrapValue } from './outcomes';
import { monotonicMs } from './protocol';
import {
  DEFAULT_LIMITS,
  type Sandbox,
  type SandboxCall,
  type SandboxLimits,
  type SandboxResult,
  type SchemaCheckRequest,
  type SchemaOutcome,
  type SourceProblem,
} from './sandbox';
import { ThreadPool } from './thread-pool';

export interface SandboxOptions {
  /** The maximum number of threads; further calls wait for a free one. */
  readonly threads: number;
  /**
   * The number of calls that are expected to wait or run at once. A tenant that has half of them is refused more, so that others
   * find room. Default: no limit, for callers that bound their calls.
   */
  readonly maxCalls?: number;
  /** The limits of an evaluation. Each default is that of `DEFAULT_LIMITS`. */
  readonly limits: Partial<SandboxLimits>;
  /** The time after which a thread without work ends, milliseconds. Default 30,000. */
  readonly idleMs?: number;
}

/** The engine's module has a stack of 5 MiB; a limit beyond it would let code overwrite the engine's own data. */
const MAX_STACK_BYTES = 4 * 1024 * 1024;
const DEFAULT_IDLE_MS = 30_000;
/** The limit of parsing and of the wait for a thread, milliseconds. Parsing is quick except for extreme sources. */
const CHECK_TIMEOUT_MS = 5_000;
/**
 * The engine's own interrupt ends an evaluation this long before the deadline, milliseconds. The reply then arrives in time with
 * the console lines, which are lost if the thread has to be terminated.
 */
const SOFT_STOP_LEAD_MS = 50;
const SOFT_STOP_LEAD_SHARE = 0.1;

/**
 * Creates a sandbox with its own pool of threads. No thread starts before the first call, and a thread without work does not keep
 * the process alive. The caller closes the sandbox when it is done. Throws for a stack above the limit, and if the project has
 * not been compiled.
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { threads, maxCalls: maxJobs = Infinity, limits, idleMs = DEFAULT_IDLE_MS } = options;
  const allLimits = { ...DEFAULT_LIMITS, ...limits };
  if (allLimits.stackBytes > MAX_STACK_BYTES) {
    throw new HoldfastError('CONFIGURATION', `stackBytes must not exceed ${MAX_STACK_BYTES}`);
  }
  return new ThreadSandbox(
    new ThreadPool({
      threads,
      maxJobs,
      idleMs,
      limits: allLimits,
      entry: compiledEntry('src/sandbox/thread'),
    }),
  );
}

class ThreadSandbox implements Sandbox {
  readonly #pool: ThreadPool;

  constructor(pool: ThreadPool) {
    this.#pool = pool;
  }

  async run(source: string, args: unknown, call: SandboxCall): Promise<SandboxResult> {
    const lead = Math.min(SOFT_STOP_LEAD_MS, call.timeoutMs * SOFT_STOP_LEAD_SHARE);
    const stopAtMs = monotonicMs() + call.timeoutMs - lead;
    const argumentsText = toJson(args, 'arguments');
    const outcome = await this.#pool.run({ kind: 'run', source, argumentsText, stopAtMs }, call);
    if (outcome.kind === 'value' && outcome.text.length >= LARGE_PIECE_BYTES) await nextLargePiece();
    return unwrapValue(outcome, call, 'tool');
  }

  async check(source: string, owner: RunOwner): Promise<SourceProblem | undefined> {
    const call = { owner, timeoutMs: CHECK_TIMEOUT_MS };
    const outcome = await this.#pool.run({ kind: 'check', source }, call);
    if (outcome.kind === 'checked') return outcome.problem;
    if (isOutOfMemory(outcome) || (outcome.kind === 'expired' && outcome.hadThread)) {
      return { message: 'the code is too long, or nested too deeply, to parse', line: 1, column: 1 };
    }
    throw toError(outcome, call, 'check');
  }

  async queryJson(document: unknown, path: string, call: SandboxCall): Promise<unknown[]> {
    const documentText = toJson(document, 'document');
    const outcome = await this.#pool.run({ kind: 'query', documentText, path }, call);
    return unwrapValue(outcome, call, 'JSON path').value as unknown[];
  }

  async checkBySchema(schema: object, check: SchemaCheckRequest, call: SandboxCall): Promise<SchemaOutcome> {
    const schemaText = toJson(schema, 'schema');
    const valueText = 'value' in check ? toJson(check.value, 'value') : undefined;
    const request = { kind: 'schema', schemaText, valueText, fills: check.fills === true } as const;
    const outcome = await this.#pool.run(request, call, true);
    return unwrapValue(outcome, call, 'schema check').value as SchemaOutcome;
  }

  async rewriteJson(bytes: Uint8Array, call: SandboxCall): Promise<Uint8Array | undefined> {
    const outcome = await this.#pool.run({ kind: 'rewrite', bytes }, call);
    if (outcome.kind !== 'rewritten') throw toError(outcome, call, 'JSON');
    return outcome.bytes;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

function toJson(value: unknown, what: string): string {
  try {
    return JSON.stringify(value === undefined ? null : value);
  } catch (error) {
    const reason = error instanceof RangeError ? 'nested too deeply' : messageOf(error);
    throw toolError(`The ${what} cannot be written as JSON: ${reason}`, { cause: error });
  }
}
