import type { RecordCollection } from '../../../contracts/common';
import { RECORD_FIELDS } from '../../../contracts/collections';
import { toNewRecord } from '../../../domain/to-new-record';
import type { NewRecord, StoredRecord } from '../../../stores/record';
import type { PutRecord, RecordStore } from '../../../stores/record-store';

export const DAY_MS = 86_400_000;

/** The time this number of days after the beginning of 2026, UTC. A fraction of a day gives a time of day. */
export function day(days: number): string {
  return new Date(Date.UTC(2026, 0, 1) + days * DAY_MS).toISOString();
}

/** Builds a record by the rules of its collection, created on this day. */
export function record(
  collection: RecordCollection,
  id: string,
  fields: Record<string, unknown>,
  made = day(0),
): NewRecord {
  const body = RECORD_FIELDS[collection].parse(fields);
  return toNewRecord(collection, { id, createdAt: made, updatedAt: made }, body);
}

export function facility(id: string, rest: Record<string, unknown> = {}, made?: string): NewRecord {
  const fields = {
    name: `Facility ${id}`,
    kind: 'warehouse',
    address: { city: 'Lyon', countryCode: 'FR' },
    ...rest,
  };
  return record('facilities', id, fields, made);
}

export interface Way {
  readonly from: string;
  readonly to: string;
  /** Days. */
  readonly left: number;
  readonly arrived: number;
  readonly items?: readonly { readonly lot?: string; readonly sourceLots?: readonly string[] }[];
  readonly status?: string;
}

export function shipment(id: string, way: Way, rest: Record<string, unknown> = {}, made?: string): NewRecord {
  const { from, to, left, arrived, items = [{}], status = 'delivered' } = way;
  const fields = {
    originFacilityId: from,
    destinationFacilityId: to,
    status,
    contents: items.map((item) => ({ product: 'Milk', quantityKilograms: 10, ...item })),
    ...(status === 'cancelled'
      ? { plannedDepartureAt: day(left), plannedArrivalAt: day(arrived) }
      : { departedAt: day(left), arrivedAt: day(arrived) }),
    ...rest,
  };
  return record('shipments', id, fields, made);
}

export function put(one: NewRecord, ifVersion = 0): PutRecord {
  return { type: 'put', record: one, ifVersion };
}

export async function add(store: RecordStore, ...records: readonly NewRecord[]): Promise<StoredRecord[]> {
  return store.write(records.map((one) => put(one)));
}
