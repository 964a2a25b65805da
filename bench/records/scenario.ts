import { createRecordsService } from '../../packages/records/domain/create-records-service';
import type { ListRecords } from '../../packages/records/domain/record-collection';
import type { TraceOptions } from '../../packages/records/domain/trace/create-traces';
import type { NewRecord } from '../../packages/records/stores/record';
import type { RecordCondition, RecordStore } from '../../packages/records/stores/record-store';
import { percentile } from '../statistics';
import { world } from './world';

export interface Timed {
  readonly name: string;
  /** Both in ms. */
  readonly p50: number;
  readonly p95: number;
  /** The average number of results: records of a list, shipments of a trace. */
  readonly found: number;
}

export interface RecordsReport {
  readonly store: string;
  readonly shipments: number;
  /** Records in a second, in transactions of 500. */
  readonly fill: number;
  readonly lists: readonly Timed[];
  readonly traces: readonly Timed[];
}

const BATCH = 500;
const ROUNDS = 40;
const TRACE: TraceOptions = { direction: 'downstream', maxHops: 6, limit: 10_000, matchLots: true };

/** Fills an empty store, and then measures lists and traces one after another, by the code that serves a request. */
export async function runRecords(
  name: string,
  store: RecordStore,
  shipments: number,
): Promise<RecordsReport> {
  const fill = await fillStore(store, shipments);
  const service = createRecordsService(store);
  const any = (field: string, value: string): RecordCondition => ({ type: 'any', field, values: [value] });
  const list = (label: string, queryOf: (round: number) => Partial<ListRecords>): Promise<Timed> =>
    time(label, async (round) => {
      const query = { conditions: [], sort: '-createdAt', limit: 50, ...queryOf(round) };
      return (await service.shipments.list(query)).records.length;
    });
  const middle = (await service.shipments.list({ conditions: [], sort: 'departureAt', limit: 500 })).next;
  const lists = [
    await list('the newest', () => ({})),
    await list('by origin', (n) => ({ conditions: [any('originFacilityId', `facility-${n}`)] })),
    await list('by status, by departure', () => ({
      conditions: [any('status', 'rejected')],
      sort: 'departureAt',
    })),
    await list('by lot', (n) => ({
      conditions: [{ type: 'tag', field: 'lot', values: [`LOT-${n * 1_000}`] }],
    })),
    await list('by a week, by weight', () => ({
      conditions: [
        { type: 'min', field: 'departureAt', value: '2025-06-01T00:00:00.000Z' },
        { type: 'max', field: 'departureAt', value: '2025-06-07T23:59:59.999Z' },
      ],
      sort: '-quantityKilograms',
    })),
    await list('a later page', () => ({ sort: 'departureAt', cursor: middle })),
    await list('by words', (n) => ({
      conditions: [{ type: 'text', words: [`ref-${1_000 + n}`, 'carrier'] }],
    })),
  ];
  const trace = (label: string, options: TraceOptions): Promise<Timed> =>
    time(label, async (round) => {
      const { downstream, upstream } = await service.traces.shipment(`shipment-${round * 100 + 1}`, options);
      return (downstream?.shipments.length ?? 0) + (upstream?.shipments.length ?? 0);
    });
  const traces = [
    await trace('six hops downstream, by lots', TRACE),
    await trace('six hops upstream, by lots', { ...TRACE, direction: 'upstream' }),
    await trace('six hops downstream, whatever lots', { ...TRACE, matchLots: false }),
  ];
  return { store: name, shipments, fill, lists, traces };
}

async function fillStore(store: RecordStore, shipments: number): Promise<number> {
  const started = performance.now();
  let batch: NewRecord[] = [];
  let records = 0;
  const flush = async (): Promise<void> => {
    await store.write(batch.map((record) => ({ type: 'put', record, ifVersion: 0 }) as const));
    records += batch.length;
    batch = [];
  };
  for (const record of world(shipments)) {
    batch.push(record);
    if (batch.length === BATCH) await flush();
  }
  await flush();
  return records / ((performance.now() - started) / 1_000);
}

async function time(name: string, run: (round: number) => Promise<number>): Promise<Timed> {
  const times: number[] = [];
  let found = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    found += await run(round);
    times.push(performance.now() - started);
  }
  return { name, p50: percentile(times, 0.5), p95: percentile(times, 0.95), found: found / ROUNDS };
}
