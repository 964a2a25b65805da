import { isIP } from 'node:net';
import { readFile, stat } from 'node:fs/promises';
import { askServers, nameError, type ServerOptions } from './ask-servers';
import { findLocally, HOSTS_PATH, parseHosts } from './hosts-file';
import { candidatesOf, parseResolvConf, RESOLV_CONF_PATH } from './resolv-conf';
import type { ResolvedAddress } from './resolver';

export interface ServerResolverOptions extends ServerOptions {
  /** Default: that of the machine. */
  readonly hostsPath?: string;
  /** Default: that of the machine; where it does not exist, names are complete. */
  readonly resolvConfPath?: string;
}

/**
 * Creates a function that looks up a name as the C library does where it uses `files dns`: in the hosts file, and then at the name
 * servers, with the search domains of resolv.conf. It takes no thread while it waits, and any number of look-ups delays no other ones.
 * It throws an error with the code `ENOTFOUND` or `EAI_AGAIN`, or the reason of the signal.
 */
export function createServerLookup(
  options: ServerResolverOptions = {},
): (name: string, signal: AbortSignal) => Promise<readonly ResolvedAddress[]> {
  const hosts = watchFile(options.hostsPath ?? HOSTS_PATH, parseHosts);
  const rules = watchFile(options.resolvConfPath ?? RESOLV_CONF_PATH, parseResolvConf);

  return async (name, signal) => {
    const family = isIP(name);
    if (family !== 0) return [{ address: name, family: family === 6 ? 6 : 4 }];
    const local = findLocally(name, await hosts());
    if (local !== undefined) return local;
    let failure = nameError('ENOTFOUND', name);
    for (const candidate of candidatesOf(name, await rules())) {
      try {
        return await askServers(candidate, options, signal);
      } catch (error) {
        signal.throwIfAborted();
        // The server of one search domain may be away or broken while the name exists in another one.
        if ((error as NodeJS.ErrnoException).code !== 'ENOTFOUND') failure = error as Error;
      }
    }
    throw failure;
  };
}

/** Returns the content of a file in a parsed form, as it is now. */
type WatchedFile<T> = () => Promise<T>;

/**
 * Reads and parses a file at its first use, and again once its time of modification or its size has changed. A file that cannot be
 * read counts as an empty one.
 */
function watchFile<T>(path: string, parse: (text: string) => T): WatchedFile<T> {
  let known: { readonly state: string; readonly value: T } | undefined;
  return async () => {
    const state = await stat(path).then(
      ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
      () => 'none',
    );
    if (known?.state !== state) {
      const text = await readFile(path, 'utf8').catch(() => '');
      known = { state, value: parse(text) };
    }
    return known.value;
  };
}
