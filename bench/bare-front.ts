import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startBareWorker } from './bare-worker';

/**
 * Serves the bare workflow over HTTP, as a process of its own: `node bare-front.js host:port`. It parses the JSON of a
 * request, runs the workflow and answers JSON, so that its cost is that of the engine and of plain HTTP. It prints its
 * port as a line when it is ready, and ends on SIGTERM.
 */
async function serve(address: string): Promise<void> {
  const worker = await startBareWorker(address);

  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const { a, b } = JSON.parse(await readText(request)) as { a: number; b: number };
      const text = JSON.stringify({ result: await worker.run(a, b) });
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    };
    answer().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));

  process.once('SIGTERM', () => {
    server.close();
    server.closeAllConnections();
    void worker.stop();
  });
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

serve(process.argv[2] ?? '').catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
