import {
  type AllowedTargets,
  allowsAddress,
  allowsFile,
  NOTHING_ALLOWED,
  plainPath,
} from '../../src/contracts/allowed-targets';
import type { ToolCall, ToolLimits } from '../../src/contracts/runs/tools';

/** A built-in tool whose argument names a target outside of the run: an address or a file. */
interface TargetTool {
  readonly argument: string;
  readonly what: string;
  /** The request's option that allows further targets. */
  readonly option: string;
  /** Extracts the target from the argument: the host of an address, or a path. */
  parseTarget(value: string): string;
  isNamed(message: string, target: string): boolean;
  isAllowed(allowed: AllowedTargets, value: string): boolean;
}

const TARGET_TOOLS: ReadonlyMap<string, TargetTool> = new Map([
  [
    'api_call',
    {
      argument: 'url',
      what: 'address',
      option: 'options.allow.hosts',
      parseTarget: parseHost,
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
      parseTarget: plainPath,
      isNamed: namesFile,
      isAllowed: allowsFile,
    },
  ],
]);

/** Decides which targets the calls that a planner chooses may have. */
export interface TargetPolicy {
  /** @returns why a call may not be made; undefined if it may */
  reasonToDeny(call: ToolCall): string | undefined;
  /** @returns the limits of a call, with the restriction that a redirect must not lead to another host either */
  boundRedirects(limits: ToolLimits): ToolLimits;
}

/**
 * Denies every call whose target the caller does not name, unless settings or request allow the target. The
 * planner also reads memories and outputs of tools, which anybody may have written, so its own choice of a target
 * cannot be trusted.
 * @param message what the caller says: the message, and the instructions if there are any
 */
export function denyUnnamedTargets(message: string, allowed: AllowedTargets = NOTHING_ALLOWED): TargetPolicy {
  return {
    reasonToDeny({ toolName, args, implementation }) {
      const tool = implementation.kind === 'builtin' ? TARGET_TOOLS.get(toolName) : undefined;
      if (tool === undefined) return undefined;
      const { argument, what, option } = tool;
      const value = args[argument];
      const target = typeof value === 'string' ? tool.parseTarget(value) : '';
      if (target !== '' && tool.isNamed(message, target)) return undefined;
      if (typeof value === 'string' && tool.isAllowed(allowed, value)) return undefined;
      return `the message does not name the ${what} "${target}", and ${option} does not allow it`;
    },
    boundRedirects: (limits) => ({ ...limits, withinHost: true, redirectHosts: allowed.hosts }),
  };
}

/** Reads the authority of a URL as it is written, in lower case; the whole text if it has none. */
function parseHost(url: string): string {
  const address = url.toLowerCase();
  return /^[a-z][a-z0-9+.-]*:[\\/]*([^\\/?#]*)/.exec(address)?.[1] ?? address;
}

// Letters of every script continue a name, and so do lone surrogates: `münchen.example` does not name `nchen.example`.
const HOST_CHARACTER = /[\p{L}\p{N}\p{M}\p{Cs}_.@:%~+-]/u;
const PATH_CHARACTER = /[\p{L}\p{N}\p{M}\p{Cs}_.@:%~+\\/-]/u;
/** Matches text that ends with the scheme of a URL, if that is not part of another URL. */
const SCHEME = /(?:^|[^a-z0-9_.@:%~+\\/?&=#-])https?:\/\/$/;
const MAX_SCHEME = 'x https://'.length;
/** A host that is recognised without a scheme. A single word or a number is not, since it may mean anything. */
const BARE_HOST =
  /^(?:localhost|\[[0-9a-f:.]+\]|(?:\d{1,3}\.){3}\d{1,3}|[^.:]+(?:\.[^.:]+)*\.[^.:\d][^.:]+)(?::\d+)?$/;
/** Endings that are both of file names and top-level domains. */
const FILE_ENDING = /\.(?:cc|md|mov|pl|ps|py|rs|sh|so|zip)$/;

/** Whether a message names a host, either with a scheme or as a host name by itself. */
function namesHost(message: string, host: string): boolean {
  return mentions(message.toLowerCase(), host, (before, after) => {
    if (startsWithName(after, HOST_CHARACTER)) return false;
    if (SCHEME.test(before.slice(-MAX_SCHEME))) return true;
    const isHost = BARE_HOST.test(host) && (!FILE_ENDING.test(host) || after.startsWith('/'));
    return isHost && !/[\\/?&=#]$/.test(before) && !endsWithName(before, HOST_CHARACTER);
  });
}

/**
 * Whether a message names a file. Capitals have to match, since file systems may distinguish them. A single word
 * without a dot or slash counts only in quotes.
 */
function namesFile(message: string, path: string): boolean {
  const text = message.replaceAll(/(^|[\s"'`“‘«(])(?:\.\/)+/g, '$1');
  return mentions(text, path, (before, after) => {
    if (endsWithName(before, PATH_CHARACTER) || startsWithName(after, PATH_CHARACTER)) return false;
    return /[./\\]/.test(path) || (/["'`“‘«]$/.test(before) && /^["'`”’»]/.test(after));
  });
}

function mentions(text: string, name: string, fits: (before: string, after: string) => boolean): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (fits(text.slice(0, at), text.slice(at + name.length))) return true;
  }
  return false;
}

function endsWithName(text: string, character: RegExp): boolean {
  return character.test(text.at(-1) ?? ' ');
}

/** Whether text continues a name. Full stops and colons at its start are skipped, as they may end the sentence. */
function startsWithName(after: string, character: RegExp): boolean {
  return character.test(after.replace(/^[.:]+/, '').at(0) ?? ' ');
}
