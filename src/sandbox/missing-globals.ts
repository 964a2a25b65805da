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
