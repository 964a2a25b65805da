import type { ToolCall } from '../src/contracts/runs';

/** How a built-in tool reaches out. */
interface Reaching {
  readonly argument: string;
  readonly what: string;
  /** Where a value of the argument leads to. */
  targetOf(value: string): string;
  isNamed(said: string, target: string): boolean;
}

const REACHING: ReadonlyMap<string, Reaching> = new Map([
  ['api_call', { argument: 'url', what: 'address', targetOf: hostOf, isNamed: namesHost }],
  ['file_read', { argument: 'path', what: 'file', targetOf: pathOf, isNamed: namesFile }],
]);

/**
 * Why a call may not be made in a turn of conversation: what it reaches for was not named by the user in this turn. Memories
 * and what tools gave are read by the planner too, and anybody may have written them.
 */
export function refuseToReach(said: string): (call: ToolCall) => string | undefined {
  return ({ toolName, args, implementation }) => {
    const reaching = implementation.kind === 'builtin' ? REACHING.get(toolName) : undefined;
    if (reaching === undefined) return undefined;
    const value = args[reaching.argument];
    const target = typeof value === 'string' ? reaching.targetOf(value) : '';
    if (target !== '' && reaching.isNamed(said, target)) return undefined;
    return `the message does not name the ${reaching.what} "${target}"`;
  };
}

/** The authority of an address as it was written, in small letters; the whole text where it has none. */
function hostOf(url: string): string {
  const address = url.toLowerCase();
  return /^[a-z][a-z0-9+.-]*:[\\/]*([^\\/?#]*)/.exec(address)?.[1] ?? address;
}

function pathOf(path: string): string {
  return path.replace(/^(?:\.\/)+/, '');
}

// Letters of every script go on a name, and so do halves of characters: `nchen.example` is not named by `münchen.example`.
const HOST_CHARACTER = /[\p{L}\p{N}\p{M}\p{Cs}_.@:%~+-]/u;
const PATH_CHARACTER = /[\p{L}\p{N}\p{M}\p{Cs}_.@:%~+\\/-]/u;
/** At the end of what stands before a host: the beginning of an address, which no other address leads to. */
const SCHEME = /(?:^|[^a-z0-9_.@:%~+\\/?&=#-])https?:\/\/$/;
const LONGEST_SCHEME = 'x https://'.length;
/** A host that is one without a scheme: a single word, or a number, may mean anything. */
const BARE_HOST =
  /^(?:localhost|\[[0-9a-f:.]+\]|(?:\d{1,3}\.){3}\d{1,3}|[^.:]+(?:\.[^.:]+)*\.[^.:\d][^.:]+)(?::\d+)?$/;
/** Files are called so, and so are top-level domains. */
const FILE_ENDING = /\.(?:cc|md|mov|pl|ps|py|rs|sh|so|zip)$/;

/** With its scheme, or as a host's name by itself. */
function namesHost(said: string, host: string): boolean {
  return mentions(said.toLowerCase(), host, (before, after) => {
    if (goesOn(after, HOST_CHARACTER)) return false;
    if (SCHEME.test(before.slice(-LONGEST_SCHEME))) return true;
    const isHost = BARE_HOST.test(host) && (!FILE_ENDING.test(host) || after.startsWith('/'));
    return isHost && !/[\\/?&=#]$/.test(before) && !endsIn(before, HOST_CHARACTER);
  });
}

/** Letter by letter: where capitals tell files apart, another one is meant. A single word is a file only in quotes. */
function namesFile(said: string, path: string): boolean {
  const text = said.replaceAll(/(^|[\s"'`“‘«(])(?:\.\/)+/g, '$1');
  return mentions(text, path, (before, after) => {
    if (endsIn(before, PATH_CHARACTER) || goesOn(after, PATH_CHARACTER)) return false;
    return /[./\\]/.test(path) || (/["'`“‘«]$/.test(before) && /^["'`”’»]/.test(after));
  });
}

function mentions(text: string, name: string, fits: (before: string, after: string) => boolean): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (fits(text.slice(0, at), text.slice(at + name.length))) return true;
  }
  return false;
}

function endsIn(text: string, character: RegExp): boolean {
  return character.test(text.at(-1) ?? ' ');
}

/** Full stops and colons may end the sentence. */
function goesOn(after: string, character: RegExp): boolean {
  return character.test(after.replace(/^[.:]+/, '').at(0) ?? ' ');
}
