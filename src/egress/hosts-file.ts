import { isIP } from 'node:net';
import type { ResolvedAddress } from './resolver';

/** The addresses of each name, which is in lower case and without a dot at its end. */
export type Hosts = ReadonlyMap<string, readonly ResolvedAddress[]>;

const LOOPBACK: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** The path of the hosts file of this machine. */
export const HOSTS_PATH =
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

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
