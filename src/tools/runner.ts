import { createHash } from 'node:crypto';
import type { BytesInFlight } from '../base/async/bytes-in-flight';
import { LARGE_PIECE_BYTES } from '../base/async/large-pieces';
import { startTimeLimit, untilAborted } from '../base/async/time-limit';
import { retryDelay } from '../contracts/retries';
import { partOf, type RunOwner } from '../contracts/runs/run-owner';
import type { ToolStep } from '../contracts/runs/tools';
import { HoldfastError, isHoldfastError, messageOf, toolError } from '../base/errors';
import { toWellFormedJson } from '../base/text/well-formed';
import type { Sandbox } from '../sandbox/sandbox';
import { schemaOf } from '../contracts/http/tool-schemas';
import type { ArgumentChecks } from './argument-check';
import { checkedArguments } from './argument-problems';
import type {
  BuiltinTool,
  HttpTools,
  RemoteTools,
  SentMark,
  ToolArguments,
  ToolContext,
  ToolOutput,
} from './tool';
import { isJsonObject } from '../contracts/json';
import { MAX_NESTING, nestsDeeperThan } from '../base/json/bounds';

const UUID_HEX = 32;

/** Tools that read JSON put what they found into an object, and that may be a list. */
const MAX_RESULT_NESTING = MAX_NESTING + 2;

export interface ToolRunnerOptions {
  readonly builtins: ReadonlyMap<string, BuiltinTool>;
  readonly sandbox: Sandbox;
  readonly checks: ArgumentChecks;
  readonly remote: RemoteTools;
  readonly http: HttpTools;
  /** The bytes of large values that the process works on. */
  readonly inFlight: BytesInFlight;
  /** Maximum size of an output, bytes of JSON. */
  readonly maxResultBytes: number;
  /** Epoch milliseconds by the clock that the deadlines of steps are of; default `Date.now`. */
  readonly now?: () => number;
}

export interface Attempt {
  /** To whom the run belongs. */
  readonly owner: RunOwner;
  /** Aborted when the run is cancelled or the worker stops. */
  readonly cancellation: AbortSignal;
  /** 1 for the first. */
  readonly attempt: number;
  readonly sent?: SentMark;
  /** Of the run; absent outside of runs. */
  readonly workflowId?: string;
}

export interface ToolRunner {
  /**
   * Runs one attempt at a tool call within its deadline.
   * @throws HoldfastError `VALIDATION`, `TOOL_TIMEOUT`, `TOOL_EXECUTION_FAILED` (retryable only if another
   * attempt is allowed and still fits before the deadline)
   */
  run(step: ToolStep, attempt: Attempt): Promise<ToolOutput>;
}

/** The memory that a value takes while it is read and parsed, as a multiple of its text with many short fields. */
const PARSED_FACTOR = 8;

/** Runs built-in tools in place, source in the sandbox, and remote tools at their servers. */
export function createToolRunner(options: ToolRunnerOptions): ToolRunner {
  const { builtins, sandbox, checks, remote, http, inFlight, maxResultBytes, now = Date.now } = options;

  async function execute(step: ToolStep, context: ToolContext): Promise<ToolOutput> {
    const { implementation, toolName, annotations } = step;
    const args = await readArguments(step, context);
    switch (implementation.kind) {
      case 'builtin': {
        const tool = builtins.get(toolName);
        if (tool === undefined) {
          throw toolError(
            `The built-in tool "${toolName}" is not switched on in this worker (BUILTIN_TOOLS)`,
          );
        }
        return tool.run(args, context);
      }
      case 'source':
        return sandbox.run(implementation.source, args, context);
      case 'mcp':
        return remote.call({ toolName, args, implementation }, context);
      case 'http':
        return http.call({ toolName, args, implementation, annotations }, context);
      case 'external':
        throw toolError(`The tool "${toolName}" is run by another worker, and not here`);
      case 'none':
        throw toolError(`The tool "${toolName}" is a definition without an implementation`);
    }
  }

  /** The arguments of a call, checked if they were not before its run. @throws HoldfastError as `checkedArguments` does */
  async function readArguments(step: ToolStep, { owner, signal }: ToolContext): Promise<ToolArguments> {
    const inputSchema = schemaOf(step);
    if (inputSchema === undefined) return step.args;
    return checkedArguments(checks.of(owner), { name: step.toolName, inputSchema }, step.args, signal);
  }

  return {
    async run(step, { owner, cancellation, attempt, sent, workflowId }) {
      const timeoutMs = step.deadline - now();
      if (timeoutMs <= 0) throw timedOut(step);
      const lastAttempt =
        attempt >= step.limits.maxAttempts || retryDelay(attempt, step.limits.delays) >= timeoutMs;
      const limit = startTimeLimit({ signal: cancellation, timeoutMs, timedOut: () => timedOut(step) });
      const { signal } = limit;
      const taken: (() => void)[] = [];
      try {
        const { withinHost = false, redirectHosts = [], allowPrivate = false } = step.limits;
        const context: ToolContext = {
          owner,
          signal: limit.signal,
          timeoutMs,
          attempt,
          lastAttempt,
          withinHost,
          redirectHosts,
          allowPrivate,
          async admit(bytes) {
            const of = { ...partOf(owner), bytes: bytes * PARSED_FACTOR, signal, waitMs: Infinity };
            const giveBack = await inFlight.take(of);
            // After the deadline the tool continues in the background, and nothing gives back what it takes then.
            if (signal.aborted) giveBack();
            else taken.push(giveBack);
          },
          sent,
          idempotencyKey: workflowId && idempotencyKeyOf(workflowId, step),
        };
        const output = await untilAborted(execute(step, context), limit.signal);
        return checkOutput(step.toolName, output, maxResultBytes);
      } catch (error) {
        if (limit.signal.aborted) throw limit.signal.reason;
        throw withRetryPermission(error, step, attempt, now());
      } finally {
        limit.end();
        for (const giveBack of taken) giveBack();
      }
    },
  };
}

function timedOut({ toolName, limits }: ToolStep): HoldfastError {
  return new HoldfastError(
    'TOOL_TIMEOUT',
    `The tool "${toolName}" did not finish within ${limits.timeoutMs} ms`,
  );
}

/**
 * Checks size and nesting of an output, and replaces its lone surrogates. A large one is returned as its text, so that it is not
 * written again.
 */
function checkOutput(toolName: string, output: ToolOutput, maxResultBytes: number): ToolOutput {
  const { value, json } = output;
  if (json !== undefined) {
    checkSize(toolName, json.length, maxResultBytes);
    const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
    return bytes.includes('\\ud')
      ? { ...output, json: Buffer.from(toWellFormedJson(bytes.toString())) }
      : output;
  }
  const written = toText(toolName, value);
  if (written === undefined) return { ...output, value: null };
  const text = toWellFormedJson(written);
  if (nestsDeeperThan(text, MAX_RESULT_NESTING)) {
    throw toolError(`The result of "${toolName}" is nested deeper than ${MAX_RESULT_NESTING} levels`);
  }
  // A UTF-16 unit takes at most three bytes in UTF-8, so most outputs need no exact count.
  if (text.length * 3 > maxResultBytes) checkSize(toolName, Buffer.byteLength(text), maxResultBytes);
  if (text.length >= LARGE_PIECE_BYTES) return { ...output, value: undefined, json: Buffer.from(text) };
  return text === written ? output : { ...output, value: JSON.parse(text) as unknown };
}

function checkSize(toolName: string, bytes: number, maxResultBytes: number): void {
  if (bytes <= maxResultBytes) return;
  throw toolError(
    `The result of "${toolName}" is ${bytes} bytes; the limit is ${maxResultBytes} (MAX_RESULT_BYTES)`,
  );
}

/** The value as JSON text; undefined if JSON has no form for it. */
function toText(toolName: string, value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The value is circular, or nested so deeply that the recursion runs out of stack.
    throw toolError(`The result of "${toolName}" has no JSON form: ${messageOf(error)}`);
  }
}

/** Makes an error final after the last attempt that began, and if the next attempt would start after the deadline. */
function withRetryPermission(error: unknown, step: ToolStep, attempt: number, now: number): HoldfastError {
  if (!isHoldfastError(error)) {
    return new HoldfastError('INTERNAL', `The tool "${step.toolName}" failed unexpectedly`, { cause: error });
  }
  if (!error.retryable) return error;
  const nextAttempt = now + (error.retryAfterMs ?? retryDelay(attempt, step.limits.delays));
  const mayRepeat = error.neverBegan || attempt < step.limits.maxAttempts;
  if (mayRepeat && nextAttempt < step.deadline) return error;
  const tried = attempt === 1 ? '' : ` (after ${attempt} attempts)`;
  return new HoldfastError(error.code, `${messageOf(error)}${tried}`, {
    details: error.details,
    cause: error,
  });
}

/**
 * Derives the key by which a server recognises a call that it got before, in the form of a UUID (RFC 9562 §5.8): 36
 * characters. It is the same at each attempt, and after a reset of the run, as it depends on the run's workflow id, the
 * call's name within the run (a step of a workflow, with the index of the item), and where the call goes. The rest of
 * the arguments does not count: a server that gets the key with another request has to refuse it. Pure.
 */
export function idempotencyKeyOf(workflowId: string, { step, toolName, args }: ToolStep): string {
  const { method, url, params } = toolName === 'api_call' && isJsonObject(args) ? args : {};
  const parts = [workflowId, step, toolName, method, url, ...(params === undefined ? [] : [params])];
  const digest = createHash('sha256').update(JSON.stringify(parts));
  const hex = digest.digest('hex').slice(0, UUID_HEX);
  // The digits of the version (8, custom) and of the variant.
  const marked = `${hex.slice(0, 12)}8${hex.slice(13, 16)}a${hex.slice(17)}`;
  return marked.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
