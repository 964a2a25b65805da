import { setImmediate as nextIteration } from 'node:timers/promises';
import type { RecordCollection } from '../contracts/common';
import type { StoredRecord } from '../stores/record';
import type { RecordCondition, RecordPosition, RecordStore } from '../stores/record-store';
import { toRecord } from './to-new-record';
import type { ExportEnd, ExportedRecord } from '../contracts/imports';

/**
 * Exports the records of some collections that pass the conditions, one collection after the other, each ordered by
 * creation and then by id, with the `end` after the last. Every record that was acknowledged before the caller asked
 * for the first item, passes the conditions and is not deleted meanwhile is in it exactly once. It holds one page at a
 * time.
 */
export type RecordExport = (
  collections: readonly RecordCollection[],
  conditions: readonly RecordCondition[],
  signal: AbortSignal,
) => AsyncGenerator<ExportedRecord | ExportEnd>;

/** Records read at once. One may be as long as a request body. */
const PAGE = 200;

export function createRecordExport(
  store: Pick<RecordStore, 'page'>,
  now: () => Date = () => new Date(),
): RecordExport {
  return async function* exportRecords(collections, conditions, signal) {
    // The export ends at this time, however fast callers create records meanwhile.
    const begun: RecordCondition = { type: 'max', field: 'createdAt', value: now().toISOString() };
    let count = 0;
    for (const collection of collections) {
      // No change of a record moves it in the order of creation.
      const query = { collection, sort: 'createdAt', descending: false, limit: PAGE } as const;
      let after: RecordPosition | undefined;
      for (let page: StoredRecord[] | undefined; page === undefined || page.length === PAGE;) {
        signal.throwIfAborted();
        page = await store.page({ ...query, conditions: [...conditions, begun], after });
        for (const record of page) {
          count += 1;
          yield { collection, ...toRecord(record) } as ExportedRecord;
        }
        const last = page.at(-1);
        after = last && { value: last.createdAt, id: last.id };
        // A store in this process answers without yielding the event loop, and a caller may read all items at once.
        await nextIteration();
      }
    }
    yield { end: true, count };
  };
}
