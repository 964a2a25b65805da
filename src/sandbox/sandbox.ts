import type { RunOwner } from '../contracts/runs/run-owner';

/** The limits of one evaluation in the sandbox. */
export interface SandboxLimits {
  /** The heap of QuickJS in each thread, bytes, at least 16 MiB. */
  readonly memoryBytes: number;
  /** The stack of QuickJS, bytes, at most 4 MiB; 256 KiB allow about 1,400 nested calls. Parsing uses it too. */
  readonly stackBytes: number;
  /** The maximum size of a result, as bytes of JSON text. */
  readonly outputBytes: number;
  /** The maximum number of console lines; one more line then has the number of dropped ones. */
  readonly logLines: number;
  /** The maximum length of a console line, characters; longer ones are truncated. */
  readonly logLineLength: number;
}

export const DEFAULT_LIMITS: SandboxLimits = {
  memoryBytes: 64 * 1024 * 1024,
  stackBytes: 256 * 1024,
  outputBytes: 1024 * 1024,
  logLines: 100,
  logLineLength: 1_000,
};

export interface SandboxResult {
  /** Plain JSON data. Keys such as `__proto__` are own properties, so callers must not merge it into another object. */
  readonly value: unknown;
  /** The value as JSON text, if it is large. It is in the place of `value`. */
  readonly json?: Uint8Array;
  readonly logs: readonly string[];
}

/** The position of an error in source text. Line and column begin at 1 and refer to the caller's text. */
export interface SourceProblem {
  /** A name that the code uses and the sandbox does not have; absent if the text does not parse. */
  readonly missing?: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

export interface SandboxCall {
  /** For whom the call is made. The calls of a tenant take at most half of the threads, but at least one. */
  readonly owner: RunOwner;
  /** The time limit from the moment of the call, milliseconds. It includes the wait for a free thread. */
  readonly timeoutMs: number;
  /** An abort terminates the thread that runs the call. */
  readonly signal?: AbortSignal;
  /** 1 for the first, which is the default. The wait after a refusal grows with it. */
  readonly attempt?: number;
}

/** One thing that a schema refuses in a value. */
export interface SchemaProblem {
  /** JSON pointer to the place in the value, as in `/items/0/id`. */
  readonly pointer: string;
  readonly message: string;
  /** The keyword of the schema that refuses it. */
  readonly keyword?: string;
}

export interface SchemaCheckRequest {
  /** Absent: the schema itself is checked. */
  readonly value?: unknown;
  /** Whether the value gets the defaults of what it leaves out. */
  readonly fills?: boolean;
}

export interface SchemaOutcome {
  /** Empty if the value is valid; at most 20, those of the first properties of the schema first. */
  readonly problems: readonly SchemaProblem[];
  /** The value with its defaults, if it got some. */
  readonly filled?: unknown;
}

/** Runs untrusted code in a thread that does not block the event loop and that is terminated at the deadline. */
export interface Sandbox {
  /**
   * Runs a tool's source with its arguments. The source is one expression (a function is called with `args`, any other value is
   * the result), a method as `Function.prototype.toString` prints it, or a function body that uses `args`; all may be async. The
   * result `undefined` becomes null. A value that JSON does not support (NaN, Infinity, BigInt, functions, symbols, cycles),
   * anywhere in the result, is an error that names its place.
   *
   * Throws `TOOL_EXECUTION_FAILED` for errors of the code, `TOOL_TIMEOUT` at the deadline (retryable only if the call never
   * got a thread), at once with `neverBegan` if its caller has too many calls that wait, or when `signal` aborts with a timeout, and `signal.reason` when it aborts with another reason. The error has
   * the console lines written before a failure in `details.logs`, unless the thread had to be terminated.
   */
  run(source: string, args: unknown, call: SandboxCall): Promise<SandboxResult>;
  /**
   * Parses a source without running it; undefined if it is valid. A free name that only Node.js or browsers have is a problem
   * (`findMissingGlobal`), because a run would fail there. Throws a retryable `TOOL_TIMEOUT` if no thread became
   * free in time.
   */
  check(source: string, owner: RunOwner): Promise<SourceProblem | undefined>;
  /**
   * Evaluates an RFC 9535 query in a thread, because its filters could run for hours. Returns the found values in the
   * order of the document; an absent name finds nothing. Throws `TOOL_EXECUTION_FAILED` for a path that does not parse (the
   * message has the position) and for a result above the limits, and otherwise what `run` throws.
   */
  queryJson(document: unknown, path: string, call: SandboxCall): Promise<unknown[]>;
  /**
   * Checks a value against a JSON Schema (2020-12 if it names no other) that somebody else wrote, in a thread, because its
   * patterns and references could run forever. Throws `TOOL_EXECUTION_FAILED` for a schema that cannot be used, and otherwise what
   * `run` throws. Its time limit begins when a thread takes the check, so the caller has to bound the number of its checks, or to
   * abort those that wait too long.
   */
  checkBySchema(schema: object, check: SchemaCheckRequest, call: SandboxCall): Promise<SchemaOutcome>;
  /**
   * Parses a UTF-8 text in a thread and writes it again, because that takes a hundred milliseconds for a megabyte with many keys.
   * Returns undefined if the text is not JSON. Throws `TOOL_EXECUTION_FAILED` for a value that nests too deeply or needs too
   * much memory, and otherwise what `run` throws.
   */
  rewriteJson(text: Uint8Array, call: SandboxCall): Promise<Uint8Array | undefined>;
  /** Terminates all threads; calls in progress reject with a retryable `TOOL_EXECUTION_FAILED`. */
  close(): Promise<void>;
}
