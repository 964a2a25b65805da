import type { MovedItem, Movement } from '../../stores/records/record';
import type { GoodsAt, MovementBounds, RecordStore } from '../../stores/records/record-store';

/**
 * One way to follow goods. Downstream, goods at a facility go on with what leaves it later; upstream, they came with
 * what arrived earlier. Either is the other read backwards, so a way from A to B downstream is one from B to A upstream.
 */
export interface Direction {
  /** The next ways of goods; may return others from the same facilities. */
  next(store: RecordStore, goods: readonly GoodsAt[], bounds: MovementBounds): Promise<Movement[]>;
  /** The facility at which the way is entered. */
  entry(movement: Movement): string;
  /** Whether goods that are at the entry from or until a time may be these. */
  continues(goods: GoodsAt, movement: Movement, item: MovedItem): boolean;
  /** What is to be followed behind a way, if an item of it is concerned. */
  exits(movement: Movement, item: MovedItem): readonly GoodsAt[];
  /** Whether goods at one time concern all that goods at the other do. */
  covers(at: string, other: string): boolean;
}

/** An unknown lot may be any. */
function isSame(wanted: string | null, lot: string | null): boolean {
  return wanted === null || lot === null || wanted === lot;
}

export const DOWNSTREAM: Direction = {
  next: (store, goods, bounds) => store.departures(goods, bounds),
  entry: ({ originId }) => originId,
  continues: ({ lot, at }, { departure }, item) =>
    departure >= at && (isSame(lot, item.lot) || item.sourceLots.some((source) => source === lot)),
  exits: ({ destinationId, arrival }, { lot }) =>
    arrival === null ? [] : [{ facilityId: destinationId, lot, at: arrival }],
  covers: (at, other) => at <= other,
};

export const UPSTREAM: Direction = {
  next: (store, goods, bounds) => store.arrivals(goods, bounds),
  entry: ({ destinationId }) => destinationId,
  continues: ({ lot, at }, { arrival }, item) => arrival !== null && arrival <= at && isSame(lot, item.lot),
  exits: ({ originId, departure }, { lot, sourceLots }) =>
    (lot === null ? [null] : [lot, ...sourceLots]).map((one) => ({
      facilityId: originId,
      lot: one,
      at: departure,
    })),
  covers: (at, other) => at >= other,
};

/** Follows all goods of a facility as one, whatever lots are told. */
export function ignoringLots(direction: Direction): Direction {
  return {
    ...direction,
    exits: (movement, item) => {
      const [goods] = direction.exits(movement, item);
      return goods === undefined ? [] : [{ ...goods, lot: null }];
    },
  };
}
