import { messageOf } from '../src/base/errors';
import type { Logger } from '../src/base/logger';
import type { MemorySystem } from '../src/memory/create-memory-system';
import { type BackgroundRun, STORE_RUN_MS } from '../temporal/runs/background-run';
import type { Chore } from './housekeeping';

export interface WordIndexWatchPorts {
  readonly memory: Pick<MemorySystem, 'openStores'>;
  /** Starts a run, unless one of its workflow id is open. */
  readonly start: (run: BackgroundRun) => Promise<boolean>;
  /** Whether this process starts the run. Only one that is the whole service does: a worker of an earlier build would move vectors. */
  readonly startsRun: boolean;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

const EVERY_MS = 3_600_000;

/** The chore that indexes the words of memories anew if another build, or other dictionaries of ICU, have indexed them. */
export function watchWordIndex({ memory, start, startsRun, logger }: WordIndexWatchPorts): Chore {
  let isLogged = false;
  return {
    name: 'words of memories as another version has indexed them',
    everyMs: EVERY_MS,
    async run(signal) {
      try {
        if (await (await memory.openStores()).graph.isWordIndexCurrent()) return 0;
        if (startsRun) {
          const isStarted = await start({
            workflowType: 'reindexMemories',
            workflowId: 'reindex-memories/words',
            input: { wordsOnly: true },
            subject: { area: 'memory' },
            summary: 'index the words of memories as this version does',
            runTimeoutMs: STORE_RUN_MS,
          });
          if (isStarted) logger.info('words of memories are indexed as this version does, by a run');
        } else if (!isLogged) {
          isLogged = true;
          logger.info(
            'npm run reindex indexes the words of memories as this version does; until then they are found as before',
          );
        }
      } catch (error) {
        if (!signal.aborted)
          logger.warn({ reason: messageOf(error) }, 'it is not known yet how words are indexed');
      }
      return 0;
    },
  };
}
