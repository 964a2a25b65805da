import { newQuickJSWASMModule, newVariant, type QuickJSWASMModule, RELEASE_SYNC } from 'quickjs-emscripten';
import { nestsDeeperThan } from './nesting';
import type { ThreadMessage } from './protocol';
import { MAX_NESTING, type SandboxLimits } from './sandbox';
import { Session, tooDeep } from './session';
import { isProblem, recognise, type SourceForm } from './source-form';

/** The part used here of a global that neither Node's types nor the language's declare. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number; maximum: number }) => object;
};

export interface Evaluation {
  readonly source: string;
  readonly argumentsText: string;
  readonly stopAtMs: number;
}

const PAGE_BYTES = 65_536;
/** What the module itself declares as its least and its most memory. */
const MIN_PAGES = 256;
const MAX_PAGES = 32_768;
/** The module's own data and stack, beside the heap. */
const OVERHEAD_PAGES = 96;

const MAX_FORMS = 64;
/** Characters of a source. */
const MAX_REMEMBERED = 65_536;

/**
 * QuickJS in one WebAssembly module. Each evaluation has a runtime and context of its own; the module is used
 * again only after evaluations that ended well.
 */
export class Engine {
  /** Forms of sources seen before: telling the form takes two parses, running it one. */
  private readonly forms = new Map<string, SourceForm>();
  private spare: Session | undefined;

  private constructor(
    private readonly module: QuickJSWASMModule,
    private readonly limits: SandboxLimits,
  ) {}

  static async load(limits: SandboxLimits): Promise<Engine> {
    // QuickJS counts hardly any of its allocations in this build (it cannot ask for their size), so its own
    // memory limit stops only single huge ones; the size of the module's memory is the limit that holds. It
    // does not grow, because growth would detach the views that quickjs-emscripten holds across calls.
    const pages = Math.ceil(limits.memoryBytes / PAGE_BYTES) + OVERHEAD_PAGES;
    const size = Math.min(Math.max(pages, MIN_PAGES), MAX_PAGES);
    const wasmMemory = new WebAssembly.Memory({ initial: size, maximum: size });
    return new Engine(await newQuickJSWASMModule(newVariant(RELEASE_SYNC, { wasmMemory })), limits);
  }

  /** Makes what the next evaluation needs, to be called when nobody waits. */
  prepare(): void {
    try {
      this.spare ??= new Session(this.module, this.limits);
    } catch {
      // The next evaluation meets the same and reports it.
    }
  }

  /**
   * Runs source text once. Never throws: a trap of the engine, its memory limit and its interrupt come back as
   * messages of a thread that is spent.
   */
  evaluate({ source, argumentsText, stopAtMs }: Evaluation): ThreadMessage {
    if (nestsDeeperThan(argumentsText, MAX_NESTING)) {
      return { reply: failure(`The arguments are nested deeper than ${MAX_NESTING} levels`), spent: false };
    }
    let session: Session | undefined;
    try {
      session = this.takeSession();
      const form = this.forms.get(source) ?? recognise(source, session.compile);
      if (isProblem(form)) {
        const { message, line, column } = form;
        return session.end(failure(`The code does not parse: ${message} (line ${line}, column ${column})`));
      }
      this.remember(source, form);
      return session.end(session.run(form, argumentsText, stopAtMs));
    } catch (error) {
      return { reply: failure(this.explainTrap(error), session?.logs.all()), spent: true };
    }
  }

  /** Parses source text and never runs it. Never throws, as `evaluate`. */
  check(source: string): ThreadMessage {
    try {
      const session = this.takeSession();
      const form = recognise(source, session.compile);
      return session.end({ kind: 'checked', problem: isProblem(form) ? form : undefined });
    } catch {
      const problem = { message: 'the code is too long, or nested too deeply, to parse', line: 1, column: 1 };
      return { reply: { kind: 'checked', problem }, spent: true };
    }
  }

  private takeSession(): Session {
    const session = this.spare ?? new Session(this.module, this.limits);
    this.spare = undefined;
    return session;
  }

  /** Keeps the most recently used. */
  private remember(source: string, form: SourceForm): void {
    if (source.length > MAX_REMEMBERED) return;
    this.forms.delete(source);
    this.forms.set(source, form);
    const [oldest] = this.forms.keys();
    if (this.forms.size > MAX_FORMS && oldest !== undefined) this.forms.delete(oldest);
  }

  private explainTrap(error: unknown): string {
    if (error instanceof RangeError) return tooDeep(this.limits);
    return 'The tool made the engine of the sandbox fail: it took too much memory or stack';
  }
}

function failure(message: string, logs: readonly string[] = []) {
  return { kind: 'failure', message, logs } as const;
}
