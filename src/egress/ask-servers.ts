import { Resolver as NameServers } from 'node:dns/promises';
import type { ResolvedAddress } from './resolver';

/** Which servers are asked. */
export interface ServerOptions {
  /** Addresses, each with a port if it is not 53. Default: those of the machine. */
  readonly servers?: readonly string[] | undefined;
}

/** A server that has not answered in this time is asked a second time, milliseconds. The second wait is twice as long. */
const TRY_MS = 2_000;
const TRIES = 2;

/** The codes that mean that a name does not exist, has no address, or is no name that could be asked for. */
const NO_SUCH_NAME: ReadonlySet<string> = new Set([
  'ENOTFOUND',
  'ENODATA',
  'EBADNAME',
  'EBADQUERY',
  'EBADSTR',
]);

/**
 * Asks the name servers for the addresses of a complete name, of both families at once. The IPv4 addresses come first, because many
 * networks have no other ones.
 * @throws an error with the code `ENOTFOUND` or `EAI_AGAIN`, as getaddrinfo has them; the reason of the signal
 */
export async function askServers(
  name: string,
  { servers }: ServerOptions,
  signal: AbortSignal,
): Promise<readonly ResolvedAddress[]> {
  signal.throwIfAborted();
  // Each look-up has a resolver of its own, because `cancel` ends all requests of one.
  const resolver = new NameServers({ timeout: TRY_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.throwIfAborted();
    const addresses = [...toAddresses(ipv4, 4), ...toAddresses(ipv6, 6)];
    if (addresses.length > 0) return addresses;
    const failure = [ipv4, ipv6].map(codeOf).find((code) => code !== undefined && !NO_SUCH_NAME.has(code));
    throw failure === undefined ? nameError('ENOTFOUND', name) : nameError('EAI_AGAIN', name, failure);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Creates the error of a failed look-up. @param reason the code of the name servers' client */
export function nameError(code: 'ENOTFOUND' | 'EAI_AGAIN', name: string, reason?: string): Error {
  const words = code === 'ENOTFOUND' ? 'is not known' : 'cannot be looked up now';
  return Object.assign(new Error(`${name} ${words}${reason === undefined ? '' : ` (${reason})`}`), {
    code,
    syscall: 'resolve',
    hostname: name,
  });
}

function toAddresses(answer: PromiseSettledResult<string[]>, family: 4 | 6): ResolvedAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
}

function codeOf(answer: PromiseSettledResult<string[]>): string | undefined {
  if (answer.status === 'fulfilled') return undefined;
  return (answer.reason as NodeJS.ErrnoException).code ?? 'unknown';
}
