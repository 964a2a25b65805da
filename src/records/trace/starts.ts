import type { Contaminant, Detection } from '../../contracts/http/records/contaminants';
import type { MovedItem, Movement } from '../../stores/records/record';
import type { GoodsAt, RecordStore } from '../../stores/records/record-store';
import { MAX_RECORD_LIMIT } from '../../stores/records/record-store';
import type { Start } from './follow';

type Shipments = Start['shipments'];

/**
 * The maximum number of shipments with which a trace begins, and the range of their departures, both included; ISO 8601
 * in UTC.
 */
export interface StartBounds {
  readonly limit: number;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Where a trace begins in each direction. */
export interface Starts {
  readonly downstream: Start;
  readonly upstream: Start;
}

const NOWHERE: Start = { goods: [], shipments: [] };

/** Starts at all goods of a facility that leave after `since`, or came before `until`; ISO 8601 in UTC. */
export function startAtFacility(
  facilityId: string,
  lot: string | null,
  since: string,
  until: string,
): Starts {
  const goods = (at: string): GoodsAt[] => [{ facilityId, lot, at }];
  return {
    downstream: { goods: goods(since), shipments: [] },
    upstream: { goods: goods(until), shipments: [] },
  };
}

/**
 * Starts at the goods of a shipment: those of the lot and of unknown lots; downstream also goods made of the lot, and
 * upstream these only where the shipment has no goods of the lot. Where no goods have to do with the lot, it starts at
 * all of them.
 */
export async function startAtShipment(
  store: RecordStore,
  shipmentId: string,
  lot: string | null = null,
): Promise<Starts> {
  const found = await store.movements([shipmentId]);
  const isOwn = (item: MovedItem): boolean => lot === null || item.lot === null || item.lot === lot;
  const isMade = ({ sourceLots }: MovedItem): boolean => lot !== null && sourceLots.includes(lot);
  const startWith = (...choices: readonly ((item: MovedItem) => boolean)[]): Start => {
    const shipments = found.map((movement) => {
      const items = choices.map((concerns) => places(movement, concerns)).find((some) => some.length > 0);
      return { movement, items: items ?? places(movement, () => true) };
    });
    return { goods: [], shipments };
  };
  return { downstream: startWith((item) => isOwn(item) || isMade(item)), upstream: startWith(isOwn, isMade) };
}

/** Starts at all goods of a lot, wherever they were; downstream also at goods made of it. */
export async function startAtLot(store: RecordStore, lot: string, bounds: StartBounds): Promise<Starts> {
  const [own, made] = await Promise.all([
    readShipmentsWith(store, 'lot', lot, bounds, (item) => item.lot === lot),
    readShipmentsWith(store, 'sourceLot', lot, bounds, (item) => item.sourceLots.includes(lot)),
  ]);
  return {
    downstream: { goods: [], shipments: [...own, ...made] },
    upstream: { goods: [], shipments: own },
  };
}

/** Starts at every place where a contaminant was found. */
export async function startAtDetections(
  store: RecordStore,
  { detections }: Contaminant,
  bounds: StartBounds,
): Promise<Starts> {
  const starts: Starts[] = [];
  for (const detection of detections) starts.push(await startAtDetection(store, detection, bounds));
  return starts.reduce(joinStarts, { downstream: NOWHERE, upstream: NOWHERE });
}

function startAtDetection(store: RecordStore, detection: Detection, bounds: StartBounds): Promise<Starts> {
  const { facilityId, shipmentId, lot, detectedAt, presentSince = detectedAt } = detection;
  if (shipmentId !== undefined) return startAtShipment(store, shipmentId, lot);
  if (facilityId !== undefined) {
    return Promise.resolve(startAtFacility(facilityId, lot ?? null, presentSince, detectedAt));
  }
  return lot === undefined
    ? Promise.resolve({ downstream: NOWHERE, upstream: NOWHERE })
    : startAtLot(store, lot, bounds);
}

async function readShipmentsWith(
  store: RecordStore,
  tag: 'lot' | 'sourceLot',
  lot: string,
  { limit, from, to }: StartBounds,
  concerns: (item: MovedItem) => boolean,
): Promise<Shipments> {
  const movements: Movement[] = [];
  let after: { readonly value: string; readonly id: string } | undefined;
  // One shipment more than asked for shows that there are more.
  while (movements.length <= limit) {
    const { records } = await store.list({
      collection: 'shipments',
      conditions: [
        { type: 'tag', field: tag, values: [lot] },
        ...(from === undefined ? [] : [{ type: 'min', field: 'departureAt', value: from } as const]),
        ...(to === undefined ? [] : [{ type: 'max', field: 'departureAt', value: to } as const]),
      ],
      sort: 'createdAt',
      descending: false,
      limit: Math.min(MAX_RECORD_LIMIT, limit + 1 - movements.length),
      after,
    });
    const last = records.at(-1);
    if (last === undefined) break;
    movements.push(...(await store.movements(records.map(({ id }) => id))));
    after = { value: last.createdAt, id: last.id };
  }
  return movements.map((movement) => ({ movement, items: places(movement, concerns) }));
}

function places({ items }: Movement, concerns: (item: MovedItem) => boolean): number[] {
  return items.flatMap((item, place) => (concerns(item) ? [place] : []));
}

function joinStarts(a: Starts, b: Starts): Starts {
  const both = (way: keyof Starts): Start => ({
    goods: [...a[way].goods, ...b[way].goods],
    shipments: [...a[way].shipments, ...b[way].shipments],
  });
  return { downstream: both('downstream'), upstream: both('upstream') };
}
