import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * The range lies below the ports that systems use for outgoing connections. A part uses its port again after a
 * restart, and no outgoing connection must have taken it meanwhile.
 */
const MIN_PORT = 20_000;
const MAX_PORT = 32_000;
const MAX_TRIES = 50;

/** Finds a port that is free at the time of the call. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = randomInt(MIN_PORT, MAX_PORT);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port found in ${MAX_TRIES} tries`);
}

export function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
