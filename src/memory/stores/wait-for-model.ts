import { setTimeout as delay } from 'node:timers/promises';
import type { Embedder } from '../../embeddings/embedder';
import type { Embedders } from '../../embeddings/embedders';

const LOOK_EVERY_MS = 250;
/** An initialization waits for a small model to be downloaded, and not for a large one. */
const MAX_WAIT_MS = 15_000;
/** A download that takes longer than this hangs. */
const MAX_DOWNLOAD_MS = 3_600_000;

/** Waits for the model, for a while also for its download. @throws what `Embedder.ready` throws */
export async function waitForModel(embedder: Embedder, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    try {
      return await embedder.ready(signal);
    } catch (error) {
      if (!isOnItsWay(embedder) || performance.now() >= deadline) throw error;
    }
    await delay(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** Resolves when nothing is being loaded any more, so that what was begun for one initialization is there for the next. */
export async function whenLoaded({ all: [preferred] }: Embedders): Promise<void> {
  const deadline = performance.now() + MAX_DOWNLOAD_MS;
  while (preferred !== undefined && isOnItsWay(preferred) && performance.now() < deadline)
    await delay(LOOK_EVERY_MS, undefined, { ref: false });
}

function isOnItsWay(embedder: Embedder): boolean {
  return embedder.status().state === 'loading';
}
