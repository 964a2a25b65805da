/** The entry of a sandbox thread. It answers one request at a time until it is terminated. */
import { parentPort, workerData } from 'node:worker_threads';
import { type FindMissingGlobal, loadFindMissingGlobal } from './find-missing-global';
import { queryJson } from './json-path';
import { checkBySchema } from './json-schema';
import { rewriteJson } from './rewrite-json';
import type { ThreadData, ThreadMessage, ThreadRequest } from './protocol';
import { Engine } from './quickjs';

const data = workerData as ThreadData;
let loading: Promise<Engine> | undefined;
let loadingFinder: Promise<FindMissingGlobal> | undefined;

async function answer(request: ThreadRequest): Promise<void> {
  if (request.kind === 'query') {
    reply({ reply: queryJson(request.documentText, request.path, data.limits), spent: false });
    return;
  }
  if (request.kind === 'rewrite') {
    reply({ reply: rewriteJson(request.bytes), spent: false });
    return;
  }
  if (request.kind === 'schema') {
    reply({ reply: checkBySchema(request), spent: false });
    return;
  }
  const engine = await (loading ??= Engine.load(data));
  const message = request.kind === 'check' ? await check(engine, request.source) : engine.evaluate(request);
  reply(message);
  if (!message.spent) engine.prepare();
}

async function check(engine: Engine, source: string): Promise<ThreadMessage> {
  return engine.check(source, await (loadingFinder ??= loadFindMissingGlobal()));
}

function reply(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

// A rejected answer ends the thread with an error, which the pool reports to the caller.
parentPort?.on('message', (request: ThreadRequest) => void answer(request));
