import type { MovedItem, Movement } from '../../stores/record';
import type { GoodsAt, MovementBounds, RecordStore } from '../../stores/record-store';

/**
 * A direction in which goods are followed. Downstream, goods at a facility leave with later shipments; upstream, they
 * came with earlier ones. Each is the reverse of the other, so a path from A to B downstream is one from B to A
 * upstream.
 */
export interface Direction {
  /** The next movements of goods; it may return other movements of the same facilities. */
  next(store: RecordStore, goods: readonly GoodsAt[], bounds: MovementBounds): Promise<Movement[]>;
  /** The facility at which the movement begins, in this direction. */
  entry(movement: Movement): string;
  /** Whether the movement may take goods that are at its entry at this time. */
  takes(at: string, movement: Movement): boolean;
  /** The lots that the item may be part of, besides unknown ones; undefined: any lot. */
  lots(item: MovedItem): readonly string[] | undefined;
  /** The goods to follow after the movement, if the item is concerned. */
  exits(movement: Movement, item: MovedItem): readonly GoodsAt[];
  /** Whether goods at one time concern all movements that goods at the other time concern. */
  covers(at: string, other: string): boolean;
}

export const DOWNSTREAM: Direction = {
  next: (store, goods, bounds) => store.departures(goods, bounds),
  entry: ({ originId }) => originId,
  takes: (at, { departure }) => departure >= at,
  lots: ({ lot, sourceLots }) => (lot === null ? undefined : [lot, ...sourceLots]),
  exits: ({ destinationId, arrival }, { lot }) =>
    arrival === null ? [] : [{ facilityId: destinationId, lot, at: arrival }],
  covers: (at, other) => at <= other,
};

export const UPSTREAM: Direction = {
  next: (store, goods, bounds) => store.arrivals(goods, bounds),
  entry: ({ destinationId }) => destinationId,
  takes: (at, { arrival }) => arrival !== null && arrival <= at,
  lots: ({ lot }) => (lot === null ? undefined : [lot]),
  exits: ({ originId, departure }, { lot, sourceLots }) =>
    (lot === null ? [null] : [lot, ...sourceLots]).map((one) => ({
      facilityId: originId,
      lot: one,
      at: departure,
    })),
  covers: (at, other) => at >= other,
};

/** Follows all goods of a facility as one, whatever their lots. */
export function ignoringLots(direction: Direction): Direction {
  return {
    ...direction,
    exits: (movement, item) => {
      const [goods] = direction.exits(movement, item);
      return goods === undefined ? [] : [{ ...goods, lot: null }];
    },
  };
}
