import { namesTool } from './tool-names';

/** The targets that calls of a planner may have besides those that the user's message names. */
export interface AllowedTargets {
  /** Entries as in `allowedHostSchema`. */
  readonly hosts: readonly string[];
  /** Entries as in `allowedFileSchema`. */
  readonly files: readonly string[];
  /** Entries as in `allowedToolSchema`: remote tools whose planned calls need no approval. */
  readonly tools?: readonly string[];
}

export const NOTHING_ALLOWED: AllowedTargets = { hosts: [], files: [] };

const ADDRESS = /^(https?):[\\/]*([^\\/?#]*)/;
const AUTHORITY = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::([0-9]{1,5}))?$/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };

/**
 * Whether an entry allows an address. An entry without a port allows the default port of http and https. An address is
 * compared as it is written, so an address with a user name, escapes or letters outside of ASCII is allowed by `*`
 * alone.
 */
export function allowsAddress({ hosts }: Pick<AllowedTargets, 'hosts'>, url: string): boolean {
  if (hosts.includes('*')) return true;
  const [, scheme = '', authority = ''] = ADDRESS.exec(url.toLowerCase()) ?? [];
  const [, host, port = DEFAULT_PORTS[scheme]] = AUTHORITY.exec(authority) ?? [];
  if (host === undefined) return false;
  const forms = [`${host}:${port}`, ...(port === DEFAULT_PORTS[scheme] ? [host] : [])];
  return hosts.some((entry) =>
    entry.startsWith('*.') ? forms.some((form) => form.endsWith(entry.slice(1))) : forms.includes(entry),
  );
}

/** Whether an entry allows a path of `file_read`. A folder allows the files in it, but no path with `..`. */
export function allowsFile({ files }: Pick<AllowedTargets, 'files'>, path: string): boolean {
  const wanted = plainPath(path);
  if (wanted === '') return false;
  return files.some((entry) => {
    if (entry === '*') return true;
    const allowed = plainPath(entry);
    if (allowed !== '' && !allowed.endsWith('/')) return wanted === allowed;
    return (
      wanted.length > allowed.length &&
      wanted.startsWith(allowed) &&
      !/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(wanted)
    );
  });
}

/** Whether an entry allows planned calls of a remote tool. */
export function allowsTool({ tools = [] }: Pick<AllowedTargets, 'tools'>, toolName: string): boolean {
  return namesTool(tools, toolName);
}

/** Removes leading `./` from a path. */
export function plainPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, '');
}
