import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SlowPeer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a server that answers `/?seconds=S&text=T` after S seconds with the text T; without a text it hangs up then. */
export async function startSlowPeer(): Promise<SlowPeer> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://peer');
    const timer = setTimeout(
      () => {
        const text = searchParams.get('text');
        if (text === null) response.destroy();
        else response.end(text);
      },
      Number(searchParams.get('seconds')) * 1_000,
    );
    response.once('close', () => clearTimeout(timer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
