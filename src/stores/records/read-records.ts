import { setImmediate as nextIteration } from 'node:timers/promises';
import type { RecordCollection } from '../../contracts/http/records/common';
import type { StoredRecord } from './record';
import type { RecordStore } from './record-store';

const READ_AT_ONCE = 200;

/**
 * Reads the records that exist. A record may be as long as a request body, so only some are in memory at once if the caller
 * keeps a part of each.
 */
export async function* readRecords(
  store: Pick<RecordStore, 'getMany'>,
  collection: RecordCollection,
  ids: readonly string[],
): AsyncGenerator<StoredRecord> {
  for (let begin = 0; begin < ids.length; begin += READ_AT_ONCE) {
    yield* (await store.getMany(collection, ids.slice(begin, begin + READ_AT_ONCE))).values();
    await nextIteration();
  }
}
