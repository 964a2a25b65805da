import type { Allowed } from '../../src/contracts/reach';
import { allowsAddress, allowsFile, NOTHING_ALLOWED, plainPath } from '../../src/contracts/reach';
import type { ToolCall, ToolLimits } from '../../src/contracts/runs/tools';

/** How a built-in tool reaches out. */
interface Reaching {
  readonly argument: string;
  readonly what: string;
  /** The option that allows more. */
  readonly option: string;
  /** Where a value of the argument leads to. */
  targetOf(value: string): string;
  isNamed(said: string, target: string): boolean;
  isAllowed(allowed: Allowed, value: string): boolean;
}

const REACHING: ReadonlyMap<string, Reaching> = new Map([
  [
    'api_call',
    {
      argument: 'url',
      what: 'address',
      option: 'options.allow.hosts',
      targetOf: hostOf,
      isNamed: namesHost,
      isAllowed: allowsAddress,
    },
  ],
  [
    'file_read',
    {
      argument: 'path',
      what: 'file',
      option: 'options.allow.files',
      targetOf: plainPath,
      isNamed: namesFile,
      isAllowed: allowsFile,
    },
  ],
]);

/** What the calls that a planner chooses may reach. */
export interface Reach {
  /** Why a call may not be made; undefined where it may. */
  refuse(call: ToolCall): string | undefined;
  /** The limits of a call, under which a redirect does not lead to another host either. */
  within(limits: ToolLimits): ToolLimits;
}

/**
 * A planned call reaches what the user named in this message, and what is allowed beside. The planner reads memories and the
 * output of tools too, which anybody may have written.
 */
export function reachOf(said: string, allowed: Allowed = NOTHING_ALLOWED): Reach {
  return {
    refuse({ toolName, args, implementation }) {
      const reaching = implementation.kind === 'builtin' ? REACHING.get(toolName) : undefined;
      if (reaching === undefined) return undefined;
      const { argument, what, option } = reaching;
      const value = args[argument];
      const target = typeof value === 'string' ? reaching.targetOf(value) : '';
      if (target !== '' && reaching.isNamed(said, target)) return undefined;
      if (typeof value === 'string' && reaching.isAllowed(allowed, value)) return undefined;
      return `the message does not name the ${what} "${target}", and ${option} does not allow it`;
    },
    within: (limits) => ({ ...limits, withinHost: true, redirectHosts: allowed.hosts }),
  };
}

/** The authority of an address as it was written, in small letters; the whole text where it has none. */
function hostOf(url: string): string {
  const address = url.toLowerCase();
  return /^[a-z][a-z0-9+.-]*:[\\/]*([^\\/?#]*)/.exec(address)?.[1] ?? address;
}

// Letters of every script go on a name, and so do halves of characters: `nchen.example` is not named by `münchen.example`.
const HOST_CHARACTER = /[\p{L}\p{N}\p{M}\p{Cs}_.@:%~+-]/u;
const PATH_CHARACTER = /[\p{L}\p{N}\p{M}\p{Cs}_.@:%~+\\/-]/u;
/** At the end of what stands before a host: the beginning of an address, which no other address leads to. */
const SCHEME = /(?:^|[^a-z0-9_.@:%~+\\/?&=#-])https?:\/\/$/;
const MAX_SCHEME = 'x https://'.length;
/** A host that is one without a scheme: a single word, or a number, may mean anything. */
const BARE_HOST =
  /^(?:localhost|\[[0-9a-f:.]+\]|(?:\d{1,3}\.){3}\d{1,3}|[^.:]+(?:\.[^.:]+)*\.[^.:\d][^.:]+)(?::\d+)?$/;
/** Files are called so, and so are top-level domains. */
const FILE_ENDING = /\.(?:cc|md|mov|pl|ps|py|rs|sh|so|zip)$/;

/** With its scheme, or as a host's name by itself. */
function namesHost(said: string, host: string): boolean {
  return mentions(said.toLowerCase(), host, (before, after) => {
    if (goesOn(after, HOST_CHARACTER)) return false;
    if (SCHEME.test(before.slice(-MAX_SCHEME))) return true;
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
