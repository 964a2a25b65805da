import {
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
  Scope,
} from 'quickjs-emscripten';
import { GUEST_CODE } from './guest';
import type { Heap } from './heap';
import { monotonicMs, type ThreadMessage, type ThreadReply } from './protocol';
import type { SandboxLimits, SourceProblem } from './sandbox';
import { countSourceLines, PRECEDING_LINES, type SourceForm } from './source-form';
import { MAX_NESTING, nestsDeeperThan } from '../base/json/bounds';

/** The console lines of one evaluation. The guest limits their number and length; this class counts the dropped ones. */
class LogLines {
  readonly #lines: string[] = [];
  #dropped = 0;

  add(line: string): void {
    this.#lines.push(line);
  }

  drop(): void {
    this.#dropped += 1;
  }

  all(): readonly string[] {
    if (this.#dropped === 0) return this.#lines;
    return [...this.#lines, `(${this.#dropped} more ${this.#dropped === 1 ? 'line' : 'lines'} dropped)`];
  }
}

const FILE_NAME = 'tool.js';
const FRAME = /\btool\.js:(\d+)(?::(\d+))?/;
const STACK_OVERFLOW = /^(?:Internal|Syntax)Error: stack overflow$/;
/** The number of jobs between two checks of the clock, for chains of promises too short for the engine's interrupt. */
const JOBS_PER_CHECK = 1_000;

/** A runtime with one context, for one evaluation. An error that it throws is a trap, after which the module is broken. */
export class Session {
  readonly logs = new LogLines();
  readonly #scope = new Scope();
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #guest: QuickJSHandle | undefined;
  #stopAtMs = Number.POSITIVE_INFINITY;
  #isStopped = false;
  #code = '';
  /** Whether the state of the module may be corrupt. */
  #isSpent = false;
  readonly #limits: SandboxLimits;
  readonly #heap: Heap;

  constructor(module: QuickJSWASMModule, limits: SandboxLimits, heap: Heap) {
    this.#limits = limits;
    this.#heap = heap;
    this.#runtime = this.#scope.manage(
      module.newRuntime({
        memoryLimitBytes: limits.memoryBytes,
        maxStackSizeBytes: limits.stackBytes,
        interruptHandler: () => this.#mustStop(),
      }),
    );
    this.#context = this.#scope.manage(this.#runtime.newContext());
    this.#guest = this.#prepareGuest();
  }

  /** Parses code without running it. */
  readonly compile = (code: string): SourceProblem | undefined => {
    const result = this.#context.evalCode(code, FILE_NAME, { compileOnly: true });
    if (!result.error) {
      result.value.dispose();
      return undefined;
    }
    const error = this.#scope.manage(result.error);
    const message = this.#context.getString(this.#property(error, 'message'));
    const stack = this.#context.getString(this.#property(error, 'stack'));
    const [, line, column] = FRAME.exec(stack) ?? [];
    return {
      message: message === 'stack overflow' ? 'the code is nested too deeply' : message,
      line: Number(line ?? 1),
      column: Number(column ?? 1),
    };
  };

  /** Runs a tool until it ends, or until `stopAtMs` on the clock of `monotonicMs`. */
  run(form: SourceForm, argumentsText: string, stopAtMs: number): ThreadReply {
    this.#stopAtMs = stopAtMs;
    this.#code = form.code;
    this.#heap.wasExhausted = false;
    const promise = this.#start(form, argumentsText);
    if (promise) this.#runJobs();
    const reply = promise && !this.#isStopped ? this.#readOutcome(promise) : undefined;
    // Reading the outcome may run code of the tool too, which may have been stopped then.
    if (this.#isStopped) {
      this.#isSpent = true;
      return { kind: 'stopped', logs: this.logs.all() };
    }
    // What the guest itself starts and describes fails only if the heap or the stack is exhausted.
    return reply ?? this.#outOfMemory();
  }

  /** Frees the engine's memory, if that is still safe, and builds the message of the thread. */
  end(reply: ThreadReply): ThreadMessage {
    if (!this.#isSpent) {
      try {
        this.#scope.dispose();
      } catch {
        this.#isSpent = true;
      }
    }
    return { reply, spent: this.#isSpent };
  }

  #mustStop(): boolean {
    this.#isStopped ||= monotonicMs() >= this.#stopAtMs;
    return this.#isStopped;
  }

  #prepareGuest(): QuickJSHandle | undefined {
    const [context, scope] = [this.#context, this.#scope];
    const emit = context.newFunction('emit', (line?: QuickJSHandle) => {
      if (line === undefined) this.logs.drop();
      else this.logs.add(JSON.parse(context.getString(line)) as string);
    });
    const bounds = [this.#limits.logLines, this.#limits.logLineLength, MAX_NESTING];
    const args = [emit, ...bounds.map((bound) => context.newNumber(bound))];
    for (const arg of args) scope.manage(arg);
    const guest = this.#manage(context.evalCode(GUEST_CODE, 'guest.js'));
    return guest && this.#manage(context.callFunction(guest, context.undefined, args));
  }

  #start(form: SourceForm, argumentsText: string): QuickJSHandle | undefined {
    const [context, scope, guest] = [this.#context, this.#scope, this.#guest];
    const make = this.#manage(context.evalCode(form.code, FILE_NAME));
    if (!make || !guest) return undefined;
    const args = scope.manage(context.newString(argumentsText));
    const isExpression = form.isExpression ? context.true : context.false;
    const drive = this.#property(guest, 'drive');
    return this.#manage(context.callFunction(drive, context.undefined, make, args, isExpression));
  }

  #runJobs(): void {
    while (!this.#mustStop() && this.#runtime.hasPendingJob()) {
      // The error of a single job is ignored here, because the promise that waits for the job gets it.
      this.#runtime.executePendingJobs(JOBS_PER_CHECK).dispose();
    }
  }

  #readOutcome(promise: QuickJSHandle): ThreadReply | undefined {
    const state = this.#context.getPromiseState(promise);
    if (state.type === 'pending') {
      // The engine drops a job that it has no memory for, and the promise that waits for the job never settles.
      if (this.#heap.wasExhausted) return this.#outOfMemory();
      return this.#failure(
        'The promise never settles: no job is left that could settle it (there are no timers)',
      );
    }
    const outcome =
      state.type === 'rejected'
        ? this.#explain(this.#scope.manage(state.error))
        : this.#scope.manage(state.value);
    if (outcome === undefined) return undefined;
    switch (this.#context.getString(this.#property(outcome, 'kind'))) {
      case 'value':
        return this.#toValue(this.#property(outcome, 'text'));
      case 'unfit':
        return this.#failure(this.#text(outcome, 'text'));
      default:
        return this.#toFailure(this.#text(outcome, 'text'), this.#text(outcome, 'stack'));
    }
  }

  /**
   * Describes an error that the guest could not catch. The engine rejects an async function as a whole, without a look
   * at its `catch`, if the constructor of an awaited promise is a getter that throws.
   */
  #explain(error: QuickJSHandle): QuickJSHandle | undefined {
    if (!this.#guest) return undefined;
    const explain = this.#property(this.#guest, 'explain');
    return this.#manage(this.#context.callFunction(explain, this.#context.undefined, error));
  }

  #toValue(text: QuickJSHandle): ThreadReply {
    const { outputBytes } = this.#limits;
    const tooLong = `The result is longer than ${outputBytes} bytes of JSON`;
    const characters = this.#context.getNumber(this.#property(text, 'length'));
    // Each character takes at least one byte, so a text with too many characters is not copied at all.
    if (characters > outputBytes) return this.#failure(tooLong);
    const json = this.#context.getString(text);
    if (Buffer.byteLength(json) > outputBytes) return this.#failure(tooLong);
    // The guest refuses such a result too and names the place. This check holds even if untrusted code changed the guest.
    if (nestsDeeperThan(json, MAX_NESTING))
      return this.#failure(`The result is nested deeper than ${MAX_NESTING} levels`);
    return { kind: 'value', text: json, logs: this.logs.all() };
  }

  #toFailure(description: string, stack: string): ThreadReply {
    if (description === 'InternalError: out of memory') return this.#outOfMemory();
    // The engine throws null if the memory is too small for an error object.
    if (description === 'The tool threw null')
      return this.#outOfMemory('The tool threw null, or ran out of memory');
    const line = Number(FRAME.exec(stack)?.[1] ?? 0) - PRECEDING_LINES;
    // The tool may have written the stack itself.
    const place = line > 0 && line <= countSourceLines(this.#code) ? ` (line ${line})` : '';
    const message = STACK_OVERFLOW.test(description) ? describeStackOverflow(this.#limits) : description;
    return this.#failure(message + place);
  }

  /** Returns a failure after which the thread is replaced, because it may have little memory left. */
  #outOfMemory(what = 'The tool ran out of memory'): ThreadReply {
    this.#isSpent = true;
    return this.#failure(`${what} (the limit is ${this.#limits.memoryBytes} bytes)`);
  }

  #failure(message: string): ThreadReply {
    return { kind: 'failure', message, logs: this.logs.all() };
  }

  #manage(result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle | undefined {
    const handle = this.#scope.manage(result.error ?? result.value);
    return result.error ? undefined : handle;
  }

  /** Reads a text that the guest wrote as JSON. */
  #text(outcome: QuickJSHandle, key: string): string {
    return JSON.parse(this.#context.getString(this.#property(outcome, key))) as string;
  }

  #property(handle: QuickJSHandle, key: string): QuickJSHandle {
    return this.#scope.manage(this.#context.getProp(handle, key));
  }
}

export function describeStackOverflow(limits: SandboxLimits): string {
  return `The tool recursed too deeply (the stack limit is ${limits.stackBytes} bytes)`;
}
