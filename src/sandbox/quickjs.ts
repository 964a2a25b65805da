import { newQuickJSWASMModule, newVariant, type QuickJSWASMModule, RELEASE_SYNC } from 'quickjs-emscripten';
import { createHeap, type Heap } from './heap';
import type { ThreadData, ThreadMessage } from './protocol';
import type { SandboxLimits, SourceProblem } from './sandbox';
import { Session, describeStackOverflow } from './session';
import { isProblem, recogniseForm, type SourceForm } from './source-form';
import { MAX_NESTING, nestsDeeperThan } from '../base/json/bounds';

export interface Evaluation {
  readonly source: string;
  readonly argumentsText: string;
  readonly stopAtMs: number;
}

const PAGE_BYTES = 65_536;
/** The minimum and maximum of memory that the module declares. */
const MIN_PAGES = 256;
const MAX_PAGES = 32_768;
/** The memory of the module's own data and stack, in addition to the heap. */
const OVERHEAD_PAGES = 96;

const MAX_FORMS = 64;
/** The maximum length of a source whose form is cached, characters. */
const MAX_CACHED_LENGTH = 65_536;

/**
 * QuickJS in one WebAssembly module. Each evaluation has a separate runtime and context; the module is used again only after
 * evaluations that ended normally.
 */
export class Engine {
  /** A cache of the forms of sources, because recognising a form takes two parses and running it one. */
  readonly #forms = new Map<string, SourceForm>();
  readonly #module: QuickJSWASMModule;
  readonly #limits: SandboxLimits;
  readonly #heap: Heap;
  #spare: Session | undefined;

  private constructor(module: QuickJSWASMModule, limits: SandboxLimits, heap: Heap) {
    this.#module = module;
    this.#limits = limits;
    this.#heap = heap;
  }

  static async load({ limits, engineCode }: ThreadData): Promise<Engine> {
    // In this build QuickJS cannot read the size of its allocations and so counts hardly any of them: its own memory limit stops
    // only single huge ones. The effective limit is the size of the module's memory. That does not grow, because growth would
    // detach the views that quickjs-emscripten keeps between calls.
    const pages = Math.ceil(limits.memoryBytes / PAGE_BYTES) + OVERHEAD_PAGES;
    const size = Math.min(Math.max(pages, MIN_PAGES), MAX_PAGES);
    const heap = createHeap(size);
    const { wasmMemory } = heap;
    const variant = newVariant(RELEASE_SYNC, { wasmModule: engineCode, wasmMemory });
    return new Engine(await newQuickJSWASMModule(variant), limits, heap);
  }

  /** Prepares the session of the next evaluation. The thread calls it when no request is waiting. */
  prepare(): void {
    try {
      this.#spare ??= new Session(this.#module, this.#limits, this.#heap);
    } catch {
      // The next evaluation has the same failure and reports it.
    }
  }

  /**
   * Runs source text once. It never throws: after a trap of the engine, its memory limit or its interrupt, the returned message
   * says that the thread must be replaced.
   */
  evaluate({ source, argumentsText, stopAtMs }: Evaluation): ThreadMessage {
    if (nestsDeeperThan(argumentsText, MAX_NESTING)) {
      return { reply: failure(`The arguments are nested deeper than ${MAX_NESTING} levels`), spent: false };
    }
    let session: Session | undefined;
    try {
      session = this.#takeSession();
      const form = this.#forms.get(source) ?? recogniseForm(source, session.compile);
      if (isProblem(form)) {
        const { message, line, column } = form;
        return session.end(failure(`The code does not parse: ${message} (line ${line}, column ${column})`));
      }
      this.#cacheForm(source, form);
      return session.end(session.run(form, argumentsText, stopAtMs));
    } catch (error) {
      return { reply: failure(this.#describeTrap(error), session?.logs.all()), spent: true };
    }
  }

  /**
   * Parses source text without running it. It never throws.
   * @param inspect looks for problems in code that parses
   */
  check(source: string, inspect: (code: string) => SourceProblem | undefined): ThreadMessage {
    try {
      const session = this.#takeSession();
      const form = recogniseForm(source, session.compile);
      return session.end({ kind: 'checked', problem: isProblem(form) ? form : inspect(form.code) });
    } catch {
      const problem = { message: 'the code is too long, or nested too deeply, to parse', line: 1, column: 1 };
      return { reply: { kind: 'checked', problem }, spent: true };
    }
  }

  #takeSession(): Session {
    const session = this.#spare ?? new Session(this.#module, this.#limits, this.#heap);
    this.#spare = undefined;
    return session;
  }

  /** Caches the form of a source, and removes the least recently used one if there are too many. */
  #cacheForm(source: string, form: SourceForm): void {
    if (source.length > MAX_CACHED_LENGTH) return;
    this.#forms.delete(source);
    this.#forms.set(source, form);
    const [oldest] = this.#forms.keys();
    if (this.#forms.size > MAX_FORMS && oldest !== undefined) this.#forms.delete(oldest);
  }

  #describeTrap(error: unknown): string {
    if (error instanceof RangeError) return describeStackOverflow(this.#limits);
    return 'The tool made the engine of the sandbox fail: it took too much memory or stack';
  }
}

function failure(message: string, logs: readonly string[] = []) {
  return { kind: 'failure', message, logs } as const;
}
