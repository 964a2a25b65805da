import type { Movement } from '../../stores/record';
import type { GoodsAt, RecordStore } from '../../stores/record-store';
import type { Direction } from './direction';
import { type Continued, ReachedIndex } from './reached-index';
import { createYielder } from '../../../../src/base/async/large-pieces';

export interface Start {
  /** Goods where they were found. */
  readonly goods: readonly GoodsAt[];
  /** Shipments in which they were found, each with the items concerned. */
  readonly shipments: readonly { readonly movement: Movement; readonly items: readonly number[] }[];
}

export interface FollowOptions {
  readonly direction: Direction;
  /** Maximum number of shipments on a path from the start, the first one included. */
  readonly maxHops: number;
  /** Maximum number of shipments in all. */
  readonly maxShipments: number;
  /** Only shipments that departed from `from` until `to`, both included; ISO 8601 in UTC. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Goods that are followed, and the shipment that they came with (downstream) or left with (upstream). */
export interface Reached {
  readonly goods: GoodsAt;
  readonly hops: number;
  /** Undefined at the start. */
  readonly by: Passage | undefined;
}

/** A shipment on the path from the start, and what lies behind it on this path. */
export interface Passage {
  readonly movement: Movement;
  /** Undefined if the goods were found in the shipment itself. */
  readonly behind: Reached | undefined;
}

export interface ReachedShipment extends Passage {
  /** Minimum number of shipments on a path from the start, this one included. */
  readonly hops: number;
  /** Indices of the items concerned. */
  readonly items: Set<number>;
}

export interface Followed {
  /** Ordered by hops, then by departure, then by id. */
  readonly shipments: readonly ReachedShipment[];
  /** Ordered by hops. A facility occurs once for each lot, and for each range of time in which the lot was there. */
  readonly goods: readonly Reached[];
  /** Whether `maxHops` or `maxShipments` left out further shipments, or contents of these. */
  readonly truncated: boolean;
}

/** Maximum number of movements that one step finds, so that they fit in memory. */
const MAX_MOVEMENTS = 50_000;

/**
 * Follows goods from shipment to shipment, breadth first. For the same goods at the same facility it keeps only the
 * time that concerns the most movements, because an earlier arrival leads to all that a later one leads to. So a step
 * costs as much as leaves the reached facilities, cycles end by themselves, and a shipment is first reached by the
 * minimum number of hops.
 */
export async function follow(store: RecordStore, start: Start, options: FollowOptions): Promise<Followed> {
  const { direction, maxHops, maxShipments, from, to } = options;
  const bounds = {
    limit: MAX_MOVEMENTS,
    from,
    to,
  };
  const inTime = ({ departure }: Movement): boolean =>
    (from === undefined || departure >= from) && (to === undefined || departure <= to);
  const shipments = new Map<string, ReachedShipment>();
  const goods: Reached[] = [];
  const best = new Map<string, string>();
  const yieldIfLong = createYielder();
  let truncated = false;
  let frontier: Reached[] = [];

  function reachGoods(reached: Reached): void {
    const { facilityId, lot, at } = reached.goods;
    const covered = [lot, null].some((one) => {
      const known = best.get(goodsKey(facilityId, one));
      return known !== undefined && direction.covers(known, at);
    });
    if (covered) return;
    // `known` keeps the store from returning movements again that an earlier step has read.
    const known = best.get(goodsKey(facilityId, lot));
    best.set(goodsKey(facilityId, lot), at);
    goods.push(reached);
    frontier.push(known === undefined ? reached : { ...reached, goods: { ...reached.goods, known } });
  }

  function reachItem(movement: Movement, place: number, hops: number, behind: Reached | undefined): void {
    let shipment = shipments.get(movement.id);
    if (shipment === undefined) {
      if (shipments.size >= maxShipments) {
        truncated = true;
        return;
      }
      shipment = { movement, hops, items: new Set(), behind };
      shipments.set(movement.id, shipment);
    }
    const item = movement.items[place];
    if (item === undefined || shipment.items.has(place)) return;
    shipment.items.add(place);
    // A later item of the shipment was reached on another path than its first one.
    const by = shipment.behind === behind ? shipment : { movement, behind };
    for (const exit of direction.exits(movement, item)) reachGoods({ goods: exit, hops, by });
  }

  async function* step(): AsyncGenerator<Continued<Reached>> {
    const index = new ReachedIndex(direction, frontier);
    const wanted = frontier.map((reached) => reached.goods);
    frontier = [];
    if (wanted.length === 0) return;
    const movements = await direction.next(store, wanted, bounds);
    if (movements.length >= MAX_MOVEMENTS) truncated = true;
    for (const movement of inOrder(movements.filter(inTime))) {
      await yieldIfLong();
      yield* index.continued(movement);
    }
  }

  for (const one of start.goods) reachGoods({ goods: one, hops: 0, by: undefined });
  for (let hops = 1; hops === 1 || (hops <= maxHops && frontier.length > 0); hops += 1) {
    for await (const { movement, place, reached } of step()) reachItem(movement, place, hops, reached);
    if (hops > 1) continue;
    for (const { movement, items } of start.shipments.filter((one) => inTime(one.movement))) {
      await yieldIfLong();
      for (const place of items) reachItem(movement, place, 1, undefined);
    }
  }
  // The goods that are left may lead nowhere, so one more step finds out whether the trace is truncated.
  for await (const { movement, place } of step()) {
    if (shipments.get(movement.id)?.items.has(place) === true) continue;
    truncated = true;
    break;
  }
  const byHops = [...shipments.values()].sort(
    (a, b) => a.hops - b.hops || compareDepartures(a.movement, b.movement),
  );
  return { shipments: byHops, goods, truncated };
}

function goodsKey(facilityId: string, lot: string | null): string {
  return JSON.stringify([facilityId, lot]);
}

function inOrder(movements: readonly Movement[]): Movement[] {
  return [...movements].sort(compareDepartures);
}

function compareDepartures(a: Movement, b: Movement): number {
  if (a.departure !== b.departure) return a.departure < b.departure ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
