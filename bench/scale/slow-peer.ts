import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface SlowPeer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts the server for which tools wait. It answers each request after `answerMs`, however many there are at a time.
 * @param onRequest called when a request arrives
 */
export async function startSlowPeer(
  answerMs: number,
  onRequest: () => void = () => undefined,
): Promise<SlowPeer> {
  const server = createServer((_request, response) => {
    onRequest();
    void delay(answerMs).then(() =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/slow`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
