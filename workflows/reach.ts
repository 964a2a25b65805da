import type { ToolCall } from '../src/contracts/runs';

/** The built-in tools that reach out by an argument, and which. */
const REACHING: Readonly<Record<string, { readonly argument: string; readonly what: string }>> = {
  api_call: { argument: 'url', what: 'address' },
  file_read: { argument: 'path', what: 'file' },
};

/**
 * Why a call may not be made in a turn of conversation: what it reaches for was not named by the user in this turn. Memories
 * and what tools gave are read by the planner too, and anybody may have written them.
 */
export function refuseToReach(said: string): (call: ToolCall) => string | undefined {
  const text = said.toLowerCase();
  return ({ toolName, args, implementation }) => {
    const reaching = implementation.kind === 'builtin' ? REACHING[toolName] : undefined;
    if (reaching === undefined) return undefined;
    const value = args[reaching.argument];
    const target = typeof value === 'string' ? value.toLowerCase() : '';
    const named = toolName === 'api_call' ? hostOf(target) : target;
    if (named !== '' && mentions(text, named)) return undefined;
    return `the message does not name the ${reaching.what} "${named}"`;
  };
}

/** The authority of an address as it was written; the whole text where it has none. */
function hostOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:[\\/]*([^\\/?#]*)/.exec(url)?.[1] ?? url;
}

/** As a whole: `b.c` is not named by `a.b.c`, nor by `b.cd`. */
function mentions(text: string, name: string): boolean {
  const part = /[a-z0-9_.@:-]/;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + name.length] ?? ' ';
    const next = text[at + name.length + 1] ?? ' ';
    // A full stop or colon may end the sentence.
    const goesOn = part.test(after) && !(/[.:]/.test(after) && !part.test(next));
    if (!part.test(before) && !goesOn) return true;
  }
  return false;
}
