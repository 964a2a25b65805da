import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { listeningUrl } from '../base/http/listening-url';
import type { GrowingText, LiveTexts } from './live-texts';

/** Pieces of a text are sent together at most this often, milliseconds. */
const BUNDLE_MS = 50;
/** An API process asks once for each text that it follows. */
const MAX_CONNECTIONS = 1_000;
/** A reader that takes nothing has this much of the text waiting for it, bytes; then it is cut off and reads the heartbeats. */
const MAX_UNSENT_BYTES = 1_048_576;

export interface LiveTextListener {
  /** An address of this machine, `0.0.0.0` or `::` for all. */
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
}

/**
 * Serves the texts that models are making in this process: `GET /<id>` answers with the text so far, goes on as it grows, and ends
 * when the step ends. The ids are random, and only heartbeats have them, so that only who may read those can read a text.
 * @returns a function that closes the server and cuts its connections
 * @throws the error of the port, if it cannot be listened at
 */
export async function serveLiveTexts(
  texts: LiveTexts,
  { host, port }: LiveTextListener,
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const text = request.method === 'GET' ? texts.find(request.url?.slice(1) ?? '') : undefined;
    if (text === undefined) response.writeHead(404).end();
    else send(text, response);
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  // A connection that cannot be accepted must not end the worker.
  server.on('error', () => undefined);
  // The worker ends when its work is done, whether or not this server still listens.
  server.unref();
  texts.address = listeningUrl(reachableHost(host), (server.address() as AddressInfo).port);
  return async () => {
    texts.address = undefined;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
}

function send(text: GrowingText, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
  response.flushHeaders();
  let sentLength = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    // A text that became shorter was begun again, which a stream cannot take back.
    if (text.text.length < sentLength || response.writableLength > MAX_UNSENT_BYTES) {
      response.destroy();
      return;
    }
    const end = text.hasEnded ? text.text.length : withoutHalfPair(text.text);
    if (end > sentLength) response.write(text.text.slice(sentLength, end));
    sentLength = Math.max(sentLength, end);
    if (text.hasEnded) response.end();
  };
  const stop = text.onChange(() => {
    timer ??= setTimeout(flush, BUNDLE_MS);
  });
  response.on('close', () => {
    stop();
    clearTimeout(timer);
  });
  flush();
}

/** @returns the length of a text without the first half of a surrogate pair at its end, whose other half is still to come */
function withoutHalfPair(text: string): number {
  return /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length;
}

/** The address under which other machines reach a server that listens at all addresses of this one. */
function reachableHost(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host;
  const outer = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal }) => !internal);
  return (outer.find(({ family }) => family === 'IPv4') ?? outer[0])?.address ?? '127.0.0.1';
}
