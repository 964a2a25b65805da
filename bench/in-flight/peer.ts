import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

const LARGE = 3_900_000;
const KEYS = 240_000;

/** A server that tools call: `/text` has 3.9 million characters, `/keys` an object of 3.9 MB with 240,000 keys. */
export interface LargePeer {
  readonly url: string;
  /** The paths that were asked for. */
  asked(): readonly string[];
  stop(): Promise<void>;
}

export async function startLargePeer(): Promise<LargePeer> {
  const text = Buffer.from(JSON.stringify({ text: 'x'.repeat(LARGE) }));
  const entries = Array.from({ length: KEYS }, (_, n) => [`k${n}`, n] as const);
  const keys = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const asked: string[] = [];
  const server = createServer(({ url = '' }, answer) => {
    asked.push(url);
    answer.setHeader('content-type', 'application/json');
    answer.end(url.startsWith('/keys') ? keys : text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
