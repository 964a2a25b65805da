import type { Contaminant } from '../../contracts/contaminants';
import type { RecordCollection } from '../../contracts/common';
import type { Facility } from '../../contracts/facilities';
import type { Shipment } from '../../contracts/shipments';
import type { Trace, TraceDirection, Traced } from '../../contracts/trace';
import type { StoredRecord } from '../../stores/record';
import type { RecordStore } from '../../stores/record-store';
import { readRecords, recordNotFound } from '../../stores/adapter-support';
import { type Direction, DOWNSTREAM, ignoringLots, UPSTREAM } from './direction';
import { follow, type Followed, type Start } from './follow';
import { describeFacilities, describeShipments, type ShownFacility, type ShownShipment } from './report';
import { startAtDetections, startAtFacility, startAtLots, startAtShipment, type Starts } from './starts';

export interface TraceOptions {
  readonly direction: TraceDirection;
  readonly maxHops: number;
  /** Maximum number of shipments in each direction. */
  readonly limit: number;
  /** Only shipments that departed from `from` until `to`; ISO 8601 in UTC. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Whether goods of one lot are distinguished from those of another. */
  readonly matchLots: boolean;
}

/** Traces where goods went and where they came from. All but `lot` throw `RECORD_NOT_FOUND` for an unknown id. */
export interface Traces {
  contaminant(id: string, options: TraceOptions): Promise<Trace>;
  shipment(id: string, options: TraceOptions): Promise<Trace>;
  /** All goods that left since a time and all that arrived until a time; ISO 8601 in UTC, absent: without a limit. */
  facility(
    id: string,
    options: TraceOptions & { readonly since?: string | undefined; readonly until?: string | undefined },
  ): Promise<Trace>;
  lot(lot: string, options: TraceOptions): Promise<Trace>;
}

const EVER = { since: '0000-01-01T00:00:00.000Z', until: '9999-12-31T23:59:59.999Z' };

export function createTraces(store: RecordStore): Traces {
  async function find(collection: RecordCollection, id: string): Promise<StoredRecord> {
    const record = await store.get({ collection, id });
    if (record === undefined) throw recordNotFound(collection, id);
    return record;
  }

  async function followOneWay(
    direction: Direction,
    isUpstream: boolean,
    start: Start,
    options: TraceOptions,
  ): Promise<Traced> {
    const { maxHops, limit, from, to, matchLots } = options;
    const followed = await follow(store, matchLots ? start : withoutLots(start), {
      direction: matchLots ? direction : ignoringLots(direction),
      maxHops,
      maxShipments: limit,
      from,
      to,
    });
    const [shipments, facilities] = await Promise.all([readShipments(followed), readFacilities(followed)]);
    return {
      shipments: describeShipments(followed, isUpstream, shipments),
      facilities: describeFacilities(followed, isUpstream, facilities),
      truncated: followed.truncated,
    };
  }

  function readShipments({ shipments }: Followed): Promise<Map<string, ShownShipment>> {
    const ids = shipments.map(({ movement }) => movement.id);
    return read('shipments', ids, ({ body }) => {
      const { reference, status } = body as unknown as Shipment;
      return { reference, status };
    });
  }

  function readFacilities({ goods }: Followed): Promise<Map<string, ShownFacility>> {
    const ids = [...new Set(goods.map((one) => one.goods.facilityId))];
    return read('facilities', ids, ({ body }) => {
      const { name, kind } = body as unknown as Facility;
      return { name, kind };
    });
  }

  /** Reads what a trace shows of records. */
  async function read<T>(
    collection: RecordCollection,
    ids: readonly string[],
    show: (record: StoredRecord) => T,
  ): Promise<Map<string, T>> {
    const shown = new Map<string, T>();
    for await (const record of readRecords(store, collection, ids)) shown.set(record.id, show(record));
    return shown;
  }

  async function trace(start: Trace['start'], starts: Starts, options: TraceOptions): Promise<Trace> {
    const { direction } = options;
    return {
      start,
      downstream:
        direction === 'upstream'
          ? undefined
          : await followOneWay(DOWNSTREAM, false, starts.downstream, options),
      upstream:
        direction === 'downstream' ? undefined : await followOneWay(UPSTREAM, true, starts.upstream, options),
    };
  }

  return {
    async contaminant(id, options) {
      const { body } = await find('contaminants', id);
      const starts = await startAtDetections(store, body as unknown as Contaminant, options);
      return trace({ contaminantId: id }, starts, options);
    },
    async shipment(id, options) {
      await find('shipments', id);
      return trace({ shipmentId: id }, await startAtShipment(store, id), options);
    },
    async facility(id, { since = EVER.since, until = EVER.until, ...options }) {
      await find('facilities', id);
      return trace({ facilityId: id }, startAtFacility(id, null, since, until), options);
    },
    async lot(lot, options) {
      return trace({ lot }, await startAtLots(store, new Set([lot]), options), options);
    },
  };
}

function withoutLots({ goods, shipments }: Start): Start {
  return { goods: goods.map((one) => ({ ...one, lot: null })), shipments };
}
