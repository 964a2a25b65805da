import type { AnyNode, Program } from 'acorn';
import type { SourceProblem } from './sandbox';
import { PRECEDING_LINES } from './source-form';

const NETWORK =
  'a tool reaches no network: use the tool or step api_call, or add an MCP server whose tool does it (POST /api/mcp-servers)';
const TIMERS = 'a tool has no timers: it returns its result, and the timeout option limits how long it runs';
const MODULES = 'a tool has no modules: put the code into its source, or into a tool of an MCP server';
const HOST = 'a tool has no access to a host: pass what it needs in args, or use a tool of an MCP server';
const LANGUAGE =
  'the sandbox has the objects of JavaScript itself: write it with those, or use a tool of an MCP server';
/** Names that code for Node.js or browsers takes for granted and the sandbox does not have, with the reason for each. */
const BY_REASON: readonly (readonly [reason: string, names: string])[] = [
  [NETWORK, 'fetch XMLHttpRequest WebSocket EventSource Request Response Headers FormData'],
  [
    TIMERS,
    'setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate queueMicrotask requestAnimationFrame',
  ],
  [MODULES, 'require module exports import __dirname __filename'],
  [
    HOST,
    'process global Buffer Deno Bun window self document navigator location localStorage sessionStorage alert',
  ],
  [
    LANGUAGE,
    'URL URLSearchParams TextEncoder TextDecoder atob btoa structuredClone crypto performance Intl WebAssembly Atomics ' +
      'AbortController AbortSignal Event EventTarget Blob File ReadableStream WritableStream TransformStream',
  ],
];
/** What to do instead of each name; `import` stands for `import()`. */
export const MISSING_GLOBALS: ReadonlyMap<string, string> = new Map(
  BY_REASON.flatMap(([reason, names]) => names.split(' ').map((name) => [name, reason] as const)),
);

/**
 * Finds the first use of a name that the sandbox does not have (`MISSING_GLOBALS`) and the code does not declare. A name that the
 * code assigns to, tests by `typeof`, has as a text, or reads or sets at `globalThis` or `this`, is one that it has thought of. Other unknown names
 * are not searched for, because `eval` may make them, and a run names them.
 * @param code what `recogniseForm` made; the result is undefined if only QuickJS can parse it
 */
export type FindMissingGlobal = (code: string) => SourceProblem | undefined;

/** Loads the parser. Threads that only run code do not need it, and it takes some 20 ms. */
export async function loadFindMissingGlobal(): Promise<FindMissingGlobal> {
  const [{ parse }, { analyze }] = await Promise.all([import('acorn'), import('eslint-scope')]);

  function parseCode(code: string): Program | undefined {
    try {
      return parse(code, { ecmaVersion: 'latest', locations: true, ranges: true });
    } catch {
      return undefined;
    }
  }

  return (code) => {
    const program = parseCode(code);
    if (program === undefined) return undefined;
    const { imports, known, hasWith } = readNames(program);
    // A name within `with` may be a property.
    if (hasWith) return undefined;
    const scopes = analyze(program as never, { ecmaVersion: 2022, ignoreEval: true });
    const free = scopes.globalScope?.through ?? [];
    for (const reference of free) if (reference.isWrite()) known.add(reference.identifier.name);
    const uses = free
      .map(({ identifier }) => identifier as unknown as Place & { readonly name: string })
      .filter(({ name }) => !known.has(name));
    const [first] = [...uses, ...imports.map(({ start, loc }) => ({ start, loc, name: 'import' }))]
      .filter(({ name }) => MISSING_GLOBALS.has(name))
      .sort((one, other) => one.start - other.start);
    if (first === undefined) return undefined;
    const { line, column } = first.loc.start;
    return {
      missing: first.name === 'import' ? 'import()' : first.name,
      message: MISSING_GLOBALS.get(first.name) ?? '',
      line: line - PRECEDING_LINES,
      column: column + 1,
    };
  };
}

interface Place {
  readonly start: number;
  readonly loc: { readonly start: { readonly line: number; readonly column: number } };
}

function isGlobal(node: AnyNode): boolean {
  return (node.type === 'Identifier' && node.name === 'globalThis') || node.type === 'ThisExpression';
}

/** Collects the calls of `import()`, and the names that the code tests by `typeof`, has as a text or takes from `globalThis`. */
function readNames(program: Program): { imports: Place[]; known: Set<string>; hasWith: boolean } {
  const imports: Place[] = [];
  let hasWith = false;
  const known = new Set<string>();
  const pending: unknown[] = [program];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    if ('type' in value) {
      const node = value as AnyNode;
      hasWith ||= node.type === 'WithStatement';
      if (node.type === 'ImportExpression') imports.push(node as unknown as Place);
      if (
        node.type === 'UnaryExpression' &&
        node.operator === 'typeof' &&
        node.argument.type === 'Identifier'
      )
        known.add(node.argument.name);
      if (node.type === 'MemberExpression' && isGlobal(node.object) && node.property.type === 'Identifier')
        known.add(node.property.name);
      // As in `"fetch" in globalThis`, `globalThis["fetch"]` and `Reflect.has(globalThis, "fetch")`.
      if (node.type === 'Literal' && typeof node.value === 'string') known.add(node.value);
    }
    pending.push(...(Object.values(value) as unknown[]));
  }
  return { imports, known, hasWith };
}
