import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../src/base/errors';
import type { Logger } from '../src/base/logger';
import type { MemorySystem } from '../src/memory/create-memory-system';
import { describeEmbedders, type EmbedderView, readEmbedderView } from '../src/memory/vectors/embedder-view';
import { type BackgroundRun, STORE_RUN_MS } from '../temporal/runs/background-run';
import type { Chore } from './housekeeping';
import type { RelayedVectors } from '../src/memory/vectors/vector-relay';

export interface EmbedderWatchPorts {
  readonly memory: Pick<MemorySystem, 'openStores'>;
  /** Starts a run, unless one of its workflow id is open. */
  readonly start: (run: BackgroundRun) => Promise<boolean>;
  /**
   * Whether this process moves memories to a model that has arrived. Only one that is the whole service does: others may
   * have no such model, and could not search then.
   */
  readonly movesMemories: boolean;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** Watches whether the embedding model that the settings prefer can be used. */
export interface EmbedderWatch {
  /** Logs how memories are found, once that is known, and moves them if it can. It ends when `signal` aborts. */
  announce(signal: AbortSignal): Promise<void>;
  /** Looks again for a model that could not be used at the start. */
  readonly chore: Chore;
}

const LOOK_EVERY_MS = 500;
/** A model that cannot be used is tried again after this time. */
const TRY_EVERY_MS = 3_600_000;

export function watchEmbedder({ memory, start, movesMemories, logger }: EmbedderWatchPorts): EmbedderWatch {
  const read = (): Promise<EmbedderView | undefined> => memory.openStores().then(readEmbedderView);
  let announced: string | undefined;

  /** Waits while the preferred model is being loaded from the disk or downloaded. The download logs its progress. */
  async function untilDecided(signal: AbortSignal): Promise<EmbedderView | undefined> {
    for (;;) {
      const view = await read();
      const state = view?.preferred?.state ?? view?.state;
      if (state?.state !== 'loading') return view;
      await delay(LOOK_EVERY_MS, undefined, { signal, ref: false });
    }
  }

  async function move(view: EmbedderView): Promise<void> {
    const isStarted = await start({
      workflowType: 'reindexMemories',
      workflowId: 'reindex-memories/preferred-model',
      input: {},
      subject: { area: 'memory' },
      summary: 'move memories to the embedding model that can be used now',
      runTimeoutMs: STORE_RUN_MS,
    });
    const { model } = view.preferred?.identity ?? view.inUse;
    if (isStarted) logger.info({ model }, 'memories are moved to the embedding model, by a run');
  }

  async function look(signal: AbortSignal): Promise<void> {
    const view = await untilDecided(signal);
    if (view === undefined) return;
    if (view.canMove && movesMemories) return move(view);
    const text = describeEmbedders(view);
    if (text === announced) return;
    announced = text;
    logger[view.preferred === undefined ? 'info' : 'warn'](text);
  }

  return {
    async announce(signal) {
      try {
        await look(signal);
      } catch (error) {
        if (signal.aborted) return;
        logger.warn({ reason: messageOf(error) }, 'it is not known yet how memories are found');
      }
    },
    chore: {
      name: 'memories of another embedding model',
      everyMs: TRY_EVERY_MS,
      async run(signal) {
        const view = await read();
        if (view?.preferred === undefined) return 0;
        // A load that failed begins again with a request.
        const { embedders } = await memory.openStores();
        await embedders.all[0]?.ready(signal).catch(() => undefined);
        await look(signal);
        return 0;
      },
    },
  };
}

interface VectorRoundsPorts {
  /** Resolves with undefined if vectors are not moved to an index. */
  readonly round: (signal: AbortSignal) => Promise<RelayedVectors | undefined>;
  /** Pause between two rounds while more vectors are pending, ms. The index needs it to show what was written. */
  readonly pauseMs: number;
}

/**
 * Repeats the round while each is full and the index keeps up. It ends after two rounds in which nothing was done,
 * because it would only write the same vectors again.
 * @returns how many vectors the graph has released
 */
export async function runVectorRounds(
  { round, pauseMs }: VectorRoundsPorts,
  signal: AbortSignal,
): Promise<number> {
  let released = 0;
  for (let idle = 0; idle < 2; await delay(pauseMs, undefined, { signal, ref: false })) {
    const moved = await round(signal);
    if (moved === undefined) break;
    released += moved.released;
    if (!moved.isFull) break;
    idle = moved.released + moved.removed === 0 ? idle + 1 : 0;
  }
  return released;
}
