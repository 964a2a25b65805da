import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * The range lies below the ports that systems use for outgoing connections. A part uses its port again after a
 * restart, and no outgoing connection must have taken it meanwhile.
 */
const MIN_PORT = 20_000;
const MAX_PORT = 32_000;
const MAX_TRIES = 50;

/** The ports that this process has tried, because one that it has just found is not in use yet. */
const tried = new Set<number>();

/** Finds a port that is free at the time of the call, each time another one. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = randomInt(MIN_PORT, MAX_PORT);
    if (tried.has(port)) continue;
    tried.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port found in ${MAX_TRIES} tries`);
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Finds several such ports. */
export function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, freePort));
}
