import { isIP } from 'node:net';
import { readFile, stat } from 'node:fs/promises';
import { askServers, nameError, type ServerOptions } from './ask-servers';
import type { ResolvedAddress } from './resolver';

const RESOLV_CONF_PATH = '/etc/resolv.conf';
/** The maximum that the C library takes of each. */
const MAX_NDOTS = 15;
/** The C library has no limit of domains since 2017; this one bounds the number of requests for a name. */
const MAX_DOMAINS = 32;

const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
/** The path of the hosts file of this machine. */
const HOSTS_PATH = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

export interface ServerResolverOptions extends ServerOptions {
  /** Default: that of the machine. */
  readonly hostsPath?: string;
  /** Default: that of the machine; if it does not exist, names are complete. */
  readonly resolvConfPath?: string;
}

/**
 * Creates a function that looks up a name as the C library does when it uses `files dns`: in the hosts file, and then at the name
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

/** The addresses of each name, which is in lower case and without a dot at its end. */
type Hosts = ReadonlyMap<string, readonly ResolvedAddress[]>;

/** Parses a hosts file: an address and its names in each line. Lines of another form are ignored. */
export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, ResolvedAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of new Set(names.map(plainName))) {
      const known = hosts.get(name) ?? [];
      known.push({ address, family: family === 6 ? 6 : 4 });
      hosts.set(name, known);
    }
  }
  return hosts;
}

/**
 * Finds a name in the hosts file. Without an entry, `localhost` and the names below it are loopback (RFC 6761 §6.3): no name server
 * may be asked for them.
 */
export function findLocally(name: string, hosts: Hosts): readonly ResolvedAddress[] | undefined {
  const plain = plainName(name);
  const entry = hosts.get(plain);
  if (entry !== undefined) return entry;
  return plain === 'localhost' || plain.endsWith('.localhost') ? LOOPBACK : undefined;
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** What resolv.conf says of names that are not complete. */
interface SearchRules {
  /** The domains that are appended to a name, in order. */
  readonly domains: readonly string[];
  /** A name with this number of dots or more is first asked as it is. */
  readonly ndots: number;
}

/** Parses `search`, `domain` and `options ndots:n` (resolv.conf(5)). Of `search` and `domain`, the last line counts. */
export function parseResolvConf(text: string): SearchRules {
  let domains: readonly string[] = [];
  let ndots = 1;
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/);
    if (keyword === 'search') domains = values;
    if (keyword === 'domain') domains = values.slice(0, 1);
    if (keyword !== 'options') continue;
    for (const value of values) {
      const [, number] = /^ndots:(\d+)$/.exec(value) ?? [];
      if (number !== undefined) ndots = Math.min(Number(number), MAX_NDOTS);
    }
  }
  const complete = domains.map((domain) => domain.replace(/^\.+|\.+$/g, '')).filter(Boolean);
  return { domains: complete.slice(0, MAX_DOMAINS), ndots };
}

/** The complete names that are asked for a name, in order, as the C library does. A dot at its end says that a name is complete. */
export function candidatesOf(name: string, { domains, ndots }: SearchRules): readonly string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const searched = domains.map((domain) => `${name}.${domain}`);
  const dots = name.split('.').length - 1;
  return dots >= ndots ? [name, ...searched] : [...searched, name];
}
