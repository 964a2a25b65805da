import type { Contaminant } from '../../contracts/contaminants';
import type { MovedItem, Movement } from '../../stores/record';
import type { GoodsAt, RecordStore } from '../../stores/record-store';
import type { Start } from './follow';
import { createYielder } from '../../../../src/base/async/large-pieces';

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

/** Maximum number of records that are read at once. One may be as long as a request body. */
const MAX_PAGE = 200;

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
 * upstream these only if the shipment has no goods of the lot. If no goods have to do with the lot, it starts at
 * all of them.
 */
export async function startAtShipment(
  store: RecordStore,
  shipmentId: string,
  lot: string | null = null,
): Promise<Starts> {
  const [movement] = await store.movements([shipmentId]);
  return movement === undefined ? { downstream: NOWHERE, upstream: NOWHERE } : startInShipment(movement, lot);
}

function startInShipment(movement: Movement, lot: string | null): Starts {
  const isOwn = (item: MovedItem): boolean => lot === null || item.lot === null || item.lot === lot;
  const isMade = ({ sourceLots }: MovedItem): boolean => lot !== null && sourceLots.includes(lot);
  const startWith = (...choices: readonly ((item: MovedItem) => boolean)[]): Start => {
    const items = choices.map((concerns) => places(movement, concerns)).find((some) => some.length > 0);
    return { goods: [], shipments: [{ movement, items: items ?? places(movement, () => true) }] };
  };
  return { downstream: startWith((item) => isOwn(item) || isMade(item)), upstream: startWith(isOwn, isMade) };
}

/** Starts at all goods of some lots, wherever they were; downstream also at goods made of them. */
export async function startAtLots(
  store: RecordStore,
  lots: ReadonlySet<string>,
  bounds: StartBounds,
): Promise<Starts> {
  if (lots.size === 0) return { downstream: NOWHERE, upstream: NOWHERE };
  const [lotShipments, made] = await Promise.all([
    readShipmentsWith(store, 'lot', lots, bounds, ({ lot }) => lot !== null && lots.has(lot)),
    readShipmentsWith(store, 'sourceLot', lots, bounds, ({ sourceLots }) =>
      sourceLots.some((lot) => lots.has(lot)),
    ),
  ]);
  return {
    downstream: { goods: [], shipments: [...lotShipments, ...made] },
    upstream: { goods: [], shipments: lotShipments },
  };
}

/**
 * Starts at every place where a contaminant was found. Each shipment is read once, and all lots together, so that the work is
 * bounded by the limit of shipments, however many detections there are.
 */
export async function startAtDetections(
  store: RecordStore,
  { detections }: Contaminant,
  bounds: StartBounds,
): Promise<Starts> {
  const ids = new Set(detections.flatMap(({ shipmentId }) => shipmentId ?? []));
  const movementsById = new Map((await store.movements([...ids])).map((movement) => [movement.id, movement]));
  const yieldIfLong = createYielder();
  const starts: Starts[] = [];
  const lots = new Set<string>();
  for (const { facilityId, shipmentId, lot, detectedAt, presentSince = detectedAt } of detections) {
    await yieldIfLong();
    const movement = shipmentId === undefined ? undefined : movementsById.get(shipmentId);
    if (movement !== undefined) starts.push(startInShipment(movement, lot ?? null));
    else if (facilityId !== undefined)
      starts.push(startAtFacility(facilityId, lot ?? null, presentSince, detectedAt));
    else if (shipmentId === undefined && lot !== undefined) lots.add(lot);
  }
  starts.push(await startAtLots(store, lots, bounds));
  return { downstream: join(starts, 'downstream'), upstream: join(starts, 'upstream') };
}

async function readShipmentsWith(
  store: RecordStore,
  tag: 'lot' | 'sourceLot',
  lots: ReadonlySet<string>,
  { limit, from, to }: StartBounds,
  concerns: (item: MovedItem) => boolean,
): Promise<Shipments> {
  const movements: Movement[] = [];
  const yieldIfLong = createYielder();
  let after: { readonly value: string; readonly id: string } | undefined;
  // One shipment more than asked for shows that there are more.
  while (movements.length <= limit) {
    await yieldIfLong();
    const records = await store.page({
      collection: 'shipments',
      conditions: [
        { type: 'tag', field: tag, values: [...lots] },
        ...(from === undefined ? [] : [{ type: 'min', field: 'departureAt', value: from } as const]),
        ...(to === undefined ? [] : [{ type: 'max', field: 'departureAt', value: to } as const]),
      ],
      sort: 'createdAt',
      descending: false,
      limit: Math.min(MAX_PAGE, limit + 1 - movements.length),
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

function join(starts: readonly Starts[], way: keyof Starts): Start {
  return {
    goods: starts.flatMap((one) => one[way].goods),
    shipments: starts.flatMap((one) => one[way].shipments),
  };
}
