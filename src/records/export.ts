import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordCollection } from '../contracts/http/records/common';
import type { ExportEnd, ExportedRecord } from '../contracts/http/records/exports';
import type { StoredRecord } from '../stores/records/record';
import type { RecordCondition, RecordPosition, RecordStore } from '../stores/records/record-store';
import { toRecordOf } from './to-new-record';

/**
 * The records of some collections that pass the conditions, one collection after the other, each from the oldest on and
 * those of one time by id, and the end behind the last. What was acknowledged before the first item was asked for, and passes
 * and is not deleted meanwhile, is there exactly once. Holds one page at a time.
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
    // An export ends here, however fast records are created behind it.
    const begun: RecordCondition = { type: 'max', field: 'createdAt', value: now().toISOString() };
    let count = 0;
    for (const collection of collections) {
      // Of all orders the one that no change of a record moves it in.
      const query = { collection, sort: 'createdAt', descending: false, limit: PAGE } as const;
      let after: RecordPosition | undefined;
      for (let page: StoredRecord[] | undefined; page === undefined || page.length === PAGE;) {
        signal.throwIfAborted();
        page = await store.page({ ...query, conditions: [...conditions, begun], ...(after && { after }) });
        for (const record of page) {
          count += 1;
          yield { collection, ...toRecordOf(record) } as ExportedRecord;
        }
        const last = page.at(-1);
        after = last && { value: last.createdAt, id: last.id };
        // A store in this process answers without leaving the turn, and a caller may take all at once.
        await nextTurn();
      }
    }
    yield { end: true, count };
  };
}
