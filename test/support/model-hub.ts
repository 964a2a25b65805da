import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** `unsized`: much more than any file, without a length. */
export type HubBehaviour = 'hold' | 'break' | 'missing' | 'send' | 'unsized';

export interface ModelHub {
  readonly url: string;
  /** The requested paths, in order. */
  readonly asked: string[];
  /** Sets the behaviour for files whose path has this ending; the hub sends all other files. */
  on(ending: string, behaviour: HubBehaviour): void;
  /** Sends the files that are held, and all files from now on, until the next `on`. */
  release(): void;
  close(): Promise<void>;
}

/** A hub of models: redirects `/<model>/resolve/main/<file>` to the file, as the real one does for large ones. */
export async function startModelHub(folder: string): Promise<ModelHub> {
  const asked: string[] = [];
  const behaviours = new Map<string, HubBehaviour>();
  const held: (() => void)[] = [];
  let isReleased = false;
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const [, file] = /\/resolve\/main\/(.+)$/.exec(path) ?? [];
    if (file !== undefined) {
      asked.push(path);
      response.writeHead(302, { location: `/files/${file}` }).end();
      return;
    }
    const behaviour = [...behaviours].find(([ending]) => path.endsWith(ending))?.[1] ?? 'send';
    if (behaviour === 'missing') response.writeHead(404).end();
    else if (behaviour === 'unsized') void sendUnsized(response);
    else {
      // A client may follow the redirect after the test has released the file.
      const present = behaviour === 'hold' && isReleased ? 'send' : behaviour;
      sendFile(response, join(folder, path.replace('/files/', '')), present, held);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    on: (ending, behaviour) => {
      isReleased = false;
      behaviours.set(ending, behaviour);
    },
    release: () => {
      isReleased = true;
      held.splice(0).forEach((send) => send());
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const UNSIZED_CHUNKS = 1_024;

/** 64 MiB in chunks, as long as the client takes them. */
async function sendUnsized(response: ServerResponse): Promise<void> {
  response.writeHead(200);
  const closed = once(response, 'close');
  for (let chunk = 0; chunk < UNSIZED_CHUNKS && !response.destroyed; chunk += 1) {
    if (!response.write(Buffer.alloc(65_536))) await Promise.race([once(response, 'drain'), closed]);
  }
  response.end();
}

function sendFile(
  response: ServerResponse,
  path: string,
  behaviour: Exclude<HubBehaviour, 'missing' | 'unsized'>,
  held: (() => void)[],
): void {
  const bytes = readFileSync(path);
  const half = bytes.subarray(0, bytes.length / 2);
  response.writeHead(200, { 'content-length': bytes.length });
  if (behaviour === 'send') response.end(bytes);
  else if (behaviour === 'break') response.write(half, () => response.destroy());
  else {
    response.write(half);
    held.push(() => response.end(bytes.subarray(half.length)));
  }
}
