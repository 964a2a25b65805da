import { promiseHooks } from 'node:v8';
import { cutoffStackTrace } from '@temporalio/common';
import type { GlobalHandlers } from '@temporalio/worker/lib/workflow/vm-shared';
import type { StackTraceFileLocation } from '@temporalio/workflow';
import type { Activator } from '@temporalio/workflow/lib/internals';

/** A frame of a stack, whose text is that of a line of the stack trace. */
type Site = NodeJS.CallSite & { toString(): string };
type Sites = readonly Site[];
type PromiseOfRun = Promise<unknown> & { runId?: string };
type Formatter = (error: Error, sites: Sites) => string;

/** What the SDK keeps of a promise until it settles. */
interface PromiseStack {
  readonly formatted: string;
  readonly structured: StackTraceFileLocation[];
}

/** Reads from the global scope of a promise, which is that of the run whose code is executed. */
interface Scope {
  activator(): Activator | undefined;
  errorClass(): ErrorConstructor;
}

/** The lines above those of the code that made the promise: the hook, and Node.js if there are several hooks. */
const HOOK_LINES = /^Error\n\s*at [^\n]+\n(\s*at initAll \(node:internal\/promise_hooks:\d+:\d+\)\n)?/;
const THEN = 'Promise.then (<anonymous>)';
const AGGREGATOR = /^(Function|Promise)\.(race|all|allSettled|any) \(<anonymous>\)$/;

/**
 * Formats the stack trace of a promise in workflow code when a query asks for it, and not when the promise is made.
 * The answers to queries, such as those of the Temporal UI, stay the same. Formatting is most of what the SDK's hook of
 * promises costs, because it looks up ten frames in the source map for each promise. The SDK has no option for this, so
 * this replaces the method that sets the hook.
 * @param handlers the SDK's handlers, before they are installed
 */
export function formatStacksOnDemand(handlers: GlobalHandlers): void {
  handlers['setPromiseHook'] = () => {
    // The SDK has set its formatter just before.
    const format = Error.prepareStackTrace as Formatter;
    let formats = true;
    Error.prepareStackTrace = (error, sites) => (formats ? format(error, sites) : sites);
    const readSites = (error: Error): Sites | undefined => {
      formats = false;
      const sites: unknown = error.stack;
      formats = true;
      return Array.isArray(sites) ? (sites as Sites) : undefined;
    };
    const toStack = (error: Error, sites: Sites): PromiseStack =>
      new StackOnDemand(() => {
        const formatted = cutoffStackTrace(format(error, sites).replace(HOOK_LINES, ''));
        // The formatter leaves the frames here.
        return { formatted, structured: withoutEnds(handlers.currentStackTrace ?? []) };
      });
    handlers['stopPromiseHook'] = promiseHooks.createHook(createHooks(readSites, toStack)) as () => void;
    handlers.promiseHookInstalled = true;
  };
}

function createHooks(
  readSites: (error: Error) => Sites | undefined,
  toStack: (error: Error, sites: Sites) => PromiseStack,
) {
  const scopeOf = createScopes();
  /** The promise of `Promise.all` and the like whose inner promises are being made. */
  let aggregation: PromiseOfRun | undefined;
  return {
    init(made: PromiseOfRun, parent: Promise<unknown>): void {
      const scope = scopeOf(made);
      const activator = scope.activator();
      if (activator === undefined) return;
      const { promiseToStack, childToParent } = activator.promiseStackStore;
      made.runId = activator.info.runId;
      // The error is made here and not in a function of its own, so that it has as many frames of the hook as the SDK's.
      const error = new (scope.errorClass())();
      const sites = readSites(error);
      if (sites === undefined) return;
      const first = sites[1]?.getFunctionName() === 'initAll' ? 2 : 1;
      let promise = made;
      let stack: PromiseStack | undefined;
      if (aggregation !== undefined && nameOf(sites[first]) === THEN && isAggregator(sites[first + 1])) {
        promise = aggregation;
        stack = promiseToStack.get(aggregation);
      } else {
        aggregation = isAggregator(sites[first]) ? made : undefined;
      }
      if (promise === parent) return;
      promiseToStack.set(promise, stack ?? toStack(error, sites));
      const parents = childToParent.get(promise) ?? new Set();
      // Node.js passes no parent if a promise has none.
      if ((parent as unknown) !== undefined) parents.add(parent);
      childToParent.set(promise, parents);
    },
    settled(promise: PromiseOfRun): void {
      const store = scopeOf(promise).activator()?.promiseStackStore;
      store?.childToParent.delete(promise);
      store?.promiseToStack.delete(promise);
    },
  };
}

class StackOnDemand implements PromiseStack {
  readonly #format: () => PromiseStack;
  #stack: PromiseStack | undefined;

  constructor(format: () => PromiseStack) {
    this.#format = format;
  }

  get formatted(): string {
    return (this.#stack ??= this.#format()).formatted;
  }

  get structured(): StackTraceFileLocation[] {
    return (this.#stack ??= this.#format()).structured;
  }
}

/** Compiles the two functions once for each class of promises. Each scope has classes of its own. */
function createScopes(): (promise: PromiseOfRun) => Scope {
  const scopes = new WeakMap<object, Scope>();
  return ({ constructor }) => {
    let scope = scopes.get(constructor);
    if (scope === undefined) {
      const compile = constructor.constructor as FunctionConstructor;
      scope = {
        activator: compile('return globalThis.__TEMPORAL_ACTIVATOR__') as Scope['activator'],
        errorClass: compile('return globalThis.Error') as Scope['errorClass'],
      };
      scopes.set(constructor, scope);
    }
    return scope;
  };
}

/** The text of a frame of the engine itself; empty for one of code, whose text is expensive. */
function nameOf(site: Site | undefined): string {
  return site === undefined || site.getLineNumber() !== null ? '' : site.toString();
}

function isAggregator(site: Site | undefined): boolean {
  return AGGREGATOR.test(nameOf(site));
}

/** Removes the frames of the hook, and those of the SDK that lead into workflow code, as the SDK does. */
function withoutEnds(frames: readonly StackTraceFileLocation[]): StackTraceFileLocation[] {
  const isNode =
    frames[1]?.function_name === 'initAll' && frames[1].file_path === 'node:internal/promise_hooks';
  const ownFrames = frames.slice(isNode ? 2 : 1);
  const end = ownFrames.findIndex(
    ({ function_name: name, file_path: file }) =>
      name !== undefined &&
      file !== undefined &&
      ((/^Activator\.\S+NextHandler$/.test(name) &&
        /.*[\\/]workflow[\\/](?:src|lib)[\\/]internals\.[jt]s$/.test(file)) ||
        (name.includes('Script.runInContext') && /^node:vm|vm\.js$/.test(file))),
  );
  return end === -1 ? ownFrames : ownFrames.slice(0, end);
}
