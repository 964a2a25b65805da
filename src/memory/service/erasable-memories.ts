import type { ErasedMemories } from '../../contracts/runs/memory';
import type { UserMemories } from '../../stores/memory/memory-graph';
import type { FactLog } from '../facts/fact-log';
import type { MemoryArchive } from '../upkeep/archive';

/** Memories of users, with the copies of those that were archived. */
export type ErasableMemories = Omit<UserMemories, 'eraseSome'> & {
  eraseSome(userId: string, limit: number): Promise<ErasedMemories>;
};

/** The memories of users, whose erasure takes the facts and the copies of archived memories with it. */
export function withTraces(memories: UserMemories, log: FactLog, archive: MemoryArchive): ErasableMemories {
  return {
    ...memories,
    async beginErasure(userId) {
      await memories.beginErasure(userId);
      await log.beginErasure(userId);
      await archive.beginErasure(userId);
    },
    async eraseSome(userId, limit) {
      const erased = await memories.eraseSome(userId, limit);
      return { ...erased, archived: await archive.eraseSome(userId, limit) };
    },
    async endErasure(userId) {
      await log.endErasure(userId);
      await archive.endErasure(userId);
      await memories.endErasure(userId);
    },
  };
}
