/** Bounds of one sandboxed evaluation. */
export interface SandboxLimits {
  /** Heap of QuickJS, bytes; 16 MiB is the least that is possible. Each thread has its own. */
  readonly memoryBytes: number;
  /** Stack of QuickJS, bytes, at most 4 MiB; 256 KiB allow about 1,400 nested calls. Parsing uses it too. */
  readonly stackBytes: number;
  /** Longest result, as bytes of JSON text. */
  readonly outputBytes: number;
  /** Most console lines kept; one more line then says how many were dropped. */
  readonly logLines: number;
  /** Longest console line kept, characters. */
  readonly logLineLength: number;
}

export const DEFAULT_LIMITS: SandboxLimits = {
  memoryBytes: 64 * 1024 * 1024,
  stackBytes: 256 * 1024,
  outputBytes: 1024 * 1024,
  logLines: 100,
  logLineLength: 1_000,
};

/** Deepest nesting of objects and arrays in arguments and results: far from where a JSON writer's stack ends. */
export const MAX_NESTING = 256;

export interface SandboxResult {
  /** Plain JSON data. Own keys such as `__proto__` are kept as data, so never merge it into another object. */
  readonly value: unknown;
  readonly logs: readonly string[];
}

/** Where source text that parses badly went wrong. Line and column count from 1, in the caller's own text. */
export interface SourceProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

export interface SandboxCall {
  /** Milliseconds from the moment of the call; waiting for a free thread counts. */
  readonly timeoutMs: number;
  /** Aborting terminates the thread that runs the call. */
  readonly signal?: AbortSignal;
}

/** Runs code nobody vouches for, away from the event loop, in a thread that is terminated at the deadline. */
export interface Sandbox {
  /**
   * Runs a tool's source with its arguments. The source is one expression (a function is called with `args`,
   * anything else is the result), a method as `Function.prototype.toString` prints it, or a function body that
   * uses `args`; all may be async. No result (`undefined`) becomes null. What JSON cannot hold (NaN, Infinity,
   * BigInt, functions, symbols, cycles), anywhere in the result, is an error that names the place.
   *
   * Throws `TOOL_EXECUTION_FAILED` for whatever the code does wrong, `TOOL_TIMEOUT` at the deadline (retryable
   * only where the call never got a thread) or when `signal` aborts with a timeout, and `signal.reason` when it
   * aborts with anything else. Console lines written before a failure are in `details.logs` of the error, but
   * for a thread that had to be terminated.
   */
  run(source: string, args: unknown, call: SandboxCall): Promise<SandboxResult>;
  /**
   * Parses without running; undefined when the source is fine. Throws a retryable `TOOL_TIMEOUT` where no thread
   * was free to look at it.
   */
  check(source: string): Promise<SourceProblem | undefined>;
  /**
   * Evaluates an RFC 9535 query, for those whose regular expressions could run for ever. Gives the values found,
   * in document order; a name that is absent finds nothing. Throws `TOOL_EXECUTION_FAILED` for a path that does
   * not parse (the message tells where) and for a result over the limits, and otherwise as `run` does.
   */
  queryJson(document: unknown, path: string, call: SandboxCall): Promise<unknown[]>;
  /** Terminates every thread; calls under way reject with a retryable `TOOL_EXECUTION_FAILED`. */
  close(): Promise<void>;
}
