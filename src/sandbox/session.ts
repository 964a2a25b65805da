import { Scope } from 'quickjs-emscripten';
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten';
import { GUEST_CODE } from './guest';
import { LogLines } from './log-lines';
import { nestsDeeperThan } from './nesting';
import { monotonicMs, type ThreadMessage, type ThreadReply } from './protocol';
import { MAX_NESTING, type SandboxLimits, type SourceProblem } from './sandbox';
import { PRECEDING_LINES, type SourceForm } from './source-form';

const FILE_NAME = 'tool.js';
const FRAME = /\btool\.js:(\d+)(?::(\d+))?/;
const STACK_OVERFLOW = /^(?:Internal|Syntax)Error: stack overflow$/;
/** Jobs run between two looks at the clock, for chains of promises too short to meet the engine's interrupt. */
const JOBS_AT_ONCE = 1_000;

/** A runtime with one context, for one evaluation. Whatever it throws is a trap, after which the module is broken. */
export class Session {
  readonly logs = new LogLines();
  private readonly scope = new Scope();
  private readonly runtime: QuickJSRuntime;
  private readonly context: QuickJSContext;
  private readonly drive: QuickJSHandle | undefined;
  private stopAtMs = Number.POSITIVE_INFINITY;
  private isStopped = false;
  /** Set by what leaves the module in a state not to be trusted. */
  private isSpent = false;

  constructor(
    module: QuickJSWASMModule,
    private readonly limits: SandboxLimits,
  ) {
    this.runtime = this.scope.manage(
      module.newRuntime({
        memoryLimitBytes: limits.memoryBytes,
        maxStackSizeBytes: limits.stackBytes,
        interruptHandler: () => this.mustStop(),
      }),
    );
    this.context = this.scope.manage(this.runtime.newContext());
    this.drive = this.prepareGuest();
  }

  /** Parses code without running it. */
  readonly compile = (code: string): SourceProblem | undefined => {
    const result = this.context.evalCode(code, FILE_NAME, { compileOnly: true });
    if (!result.error) {
      result.value.dispose();
      return undefined;
    }
    const error = this.scope.manage(result.error);
    const message = this.context.getString(this.property(error, 'message'));
    const stack = this.context.getString(this.property(error, 'stack'));
    const [, line, column] = FRAME.exec(stack) ?? [];
    return {
      message: message === 'stack overflow' ? 'the code is nested too deeply' : message,
      line: Number(line ?? 1),
      column: Number(column ?? 1),
    };
  };

  /** Runs a tool to its end, or until `stopAtMs` on the clock of `monotonicMs`. */
  run(form: SourceForm, argumentsText: string, stopAtMs: number): ThreadReply {
    this.stopAtMs = stopAtMs;
    const promise = this.start(form, argumentsText);
    if (promise) this.runJobs();
    if (this.isStopped) {
      this.isSpent = true;
      return { kind: 'stopped', logs: this.logs.all() };
    }
    // Only an exhausted heap or stack keeps the guest's own code from ending well.
    return (promise && this.outcomeOf(promise)) ?? this.exhausted();
  }

  /** Frees the engine's memory, where that is still safe, and makes the message of the thread. */
  end(reply: ThreadReply): ThreadMessage {
    if (!this.isSpent) {
      try {
        this.scope.dispose();
      } catch {
        this.isSpent = true;
      }
    }
    return { reply, spent: this.isSpent };
  }

  private mustStop(): boolean {
    this.isStopped ||= monotonicMs() >= this.stopAtMs;
    return this.isStopped;
  }

  private prepareGuest(): QuickJSHandle | undefined {
    const { context, scope } = this;
    const emit = context.newFunction('emit', (line?: QuickJSHandle) => {
      if (line === undefined) this.logs.drop();
      else this.logs.add(JSON.parse(context.getString(line)) as string);
    });
    const bounds = [this.limits.logLines, this.limits.logLineLength, MAX_NESTING];
    const args = [emit, ...bounds.map((bound) => context.newNumber(bound))];
    for (const arg of args) scope.manage(arg);
    const guest = this.keep(context.evalCode(GUEST_CODE, 'guest.js'));
    return guest && this.keep(context.callFunction(guest, context.undefined, args));
  }

  private start(form: SourceForm, argumentsText: string): QuickJSHandle | undefined {
    const { context, scope, drive } = this;
    const make = this.keep(context.evalCode(form.code, FILE_NAME));
    if (!make || !drive) return undefined;
    const args = scope.manage(context.newString(argumentsText));
    const isExpression = form.isExpression ? context.true : context.false;
    return this.keep(context.callFunction(drive, context.undefined, make, args, isExpression));
  }

  private runJobs(): void {
    while (!this.mustStop() && this.runtime.hasPendingJob()) {
      // What a single job throws reaches the promise that waits for it, so it is of no interest here.
      this.runtime.executePendingJobs(JOBS_AT_ONCE).dispose();
    }
  }

  private outcomeOf(promise: QuickJSHandle): ThreadReply | undefined {
    const state = this.context.getPromiseState(promise);
    if (state.type === 'pending') {
      return this.failure(
        'The promise never settles: no job is left that could settle it (there are no timers)',
      );
    }
    if (state.type === 'rejected') {
      this.scope.manage(state.error);
      return undefined;
    }
    const outcome = this.scope.manage(state.value);
    switch (this.context.getString(this.property(outcome, 'kind'))) {
      case 'value':
        return this.value(this.property(outcome, 'text'));
      case 'unfit':
        return this.failure(this.text(outcome, 'text'));
      default:
        return this.thrown(this.text(outcome, 'text'), this.text(outcome, 'stack'));
    }
  }

  private value(text: QuickJSHandle): ThreadReply {
    const { outputBytes } = this.limits;
    const tooLong = `The result is longer than ${outputBytes} bytes of JSON`;
    const characters = this.context.getNumber(this.property(text, 'length'));
    // A character takes a byte or more, so what is surely too long is never copied out.
    if (characters > outputBytes) return this.failure(tooLong);
    const json = this.context.getString(text);
    if (Buffer.byteLength(json) > outputBytes) return this.failure(tooLong);
    // The guest refuses such a result with the place; this holds whatever the guest was made to say.
    if (nestsDeeperThan(json, MAX_NESTING))
      return this.failure(`The result is nested deeper than ${MAX_NESTING} levels`);
    return { kind: 'value', text: json, logs: this.logs.all() };
  }

  private thrown(description: string, stack: string): ThreadReply {
    if (description === 'InternalError: out of memory') return this.exhausted();
    // With too little memory left for an error object, the engine throws null instead.
    if (description === 'The tool threw null')
      return this.exhausted('The tool threw null, or ran out of memory');
    const line = Number(FRAME.exec(stack)?.[1] ?? 0) - PRECEDING_LINES;
    const place = line > 0 ? ` (line ${line})` : '';
    const message = STACK_OVERFLOW.test(description) ? tooDeep(this.limits) : description;
    return this.failure(message + place);
  }

  /** Whatever filled the memory may have left little of it, so the thread is given up. */
  private exhausted(what = 'The tool ran out of memory'): ThreadReply {
    this.isSpent = true;
    return this.failure(`${what} (the limit is ${this.limits.memoryBytes} bytes)`);
  }

  private failure(message: string): ThreadReply {
    return { kind: 'failure', message, logs: this.logs.all() };
  }

  private keep(result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle | undefined {
    const handle = this.scope.manage(result.error ?? result.value);
    return result.error ? undefined : handle;
  }

  /** A text that the guest wrote as JSON. */
  private text(outcome: QuickJSHandle, key: string): string {
    return JSON.parse(this.context.getString(this.property(outcome, key))) as string;
  }

  private property(handle: QuickJSHandle, key: string): QuickJSHandle {
    return this.scope.manage(this.context.getProp(handle, key));
  }
}

export function tooDeep(limits: SandboxLimits): string {
  return `The tool recursed too deeply (the stack limit is ${limits.stackBytes} bytes)`;
}
