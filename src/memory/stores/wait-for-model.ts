import { setTimeout as delay } from 'node:timers/promises';
import type { Embedder } from '../../embeddings/embedder';
import type { Embedders } from '../../embeddings/embedders';

const LOOK_EVERY_MS = 250;
/** Long enough for the download of a small model, so that an initialization does not wait for a large one. */
const MAX_WAIT_MS = 15_000;
/** A download that takes longer than this counts as hanging. */
const MAX_DOWNLOAD_MS = 3_600_000;

/** Waits for the model, and up to a limit for its download. @throws what `Embedder.ready` throws */
export async function waitForModel(embedder: Embedder, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS;
  for (;;) {
    try {
      return await embedder.ready(signal);
    } catch (error) {
      if (!isLoading(embedder) || performance.now() >= deadline) throw error;
    }
    await delay(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** Resolves when no model is being loaded, so that a download that one initialization began serves the next one. */
export async function untilLoaded({ all: [preferred] }: Embedders): Promise<void> {
  const deadline = performance.now() + MAX_DOWNLOAD_MS;
  while (preferred !== undefined && isLoading(preferred) && performance.now() < deadline)
    await delay(LOOK_EVERY_MS, undefined, { ref: false });
}

function isLoading(embedder: Embedder): boolean {
  return embedder.status().state === 'loading';
}
