import type { Movement } from '../../stores/records/record';
import type { GoodsAt, RecordStore } from '../../stores/records/record-store';
import type { Direction } from './direction';

export interface Start {
  /** Goods where they were found. */
  readonly goods: readonly GoodsAt[];
  /** Shipments in which they were found, each with the items concerned. */
  readonly shipments: readonly { readonly movement: Movement; readonly items: readonly number[] }[];
}

export interface FollowOptions {
  readonly direction: Direction;
  /** Most shipments on a way from the start, the first one included. */
  readonly maxHops: number;
  /** Most shipments in all. */
  readonly maxShipments: number;
  /** Departures only from here to there, both included; ISO 8601 in UTC. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Goods that are followed, and the shipment that they came with (downstream) or left with (upstream). */
export interface Reached {
  readonly goods: GoodsAt;
  readonly hops: number;
  /** Undefined at the start. */
  readonly by: ReachedShipment | undefined;
}

export interface ReachedShipment {
  readonly movement: Movement;
  /** Fewest shipments on a way from the start, this one included. */
  readonly hops: number;
  /** Places of the items concerned. */
  readonly items: Set<number>;
  /** Undefined where the goods were found in the shipment itself. */
  readonly behind: Reached | undefined;
}

export interface Followed {
  /** In the order of hops, then of departure, then of id. */
  readonly shipments: readonly ReachedShipment[];
  /** Fewest hops first; a facility as often as another lot, or the same one over another range of time, is there. */
  readonly goods: readonly Reached[];
  /** Whether there are more shipments, or contents of these, than `maxHops` and `maxShipments` let in. */
  readonly truncated: boolean;
}

/** What one step may find, so that it fits in memory. */
const MAX_MOVEMENTS = 50_000;

/**
 * Follows goods from shipment to shipment, one step of all of them at a time. Of the same goods at the same facility
 * only the time that concerns most is kept, because all that a later arrival leads to an earlier one leads to as well;
 * so a step costs what leaves the facilities reached, cycles end by themselves, and the first time that a shipment is
 * reached it is by the fewest hops.
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
  let truncated = false;
  let frontier: Reached[] = [];

  function reachGoods(reached: Reached): void {
    const { facilityId, lot, at } = reached.goods;
    const covered = [lot, null].some((one) => {
      const known = best.get(goodsKey(facilityId, one));
      return known !== undefined && direction.covers(known, at);
    });
    if (covered) return;
    // What an earlier step has asked for is not asked for again.
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
    for (const exit of direction.exits(movement, item)) {
      reachGoods({ goods: exit, hops, by: shipment });
    }
  }

  async function step(reach: (movement: Movement, place: number, reached: Reached) => void): Promise<void> {
    const current = groupByFacility(frontier);
    const wanted = frontier.map((reached) => reached.goods);
    frontier = [];
    if (wanted.length === 0) return;
    const movements = await direction.next(store, wanted, bounds);
    if (movements.length >= MAX_MOVEMENTS) truncated = true;
    for (const movement of inOrder(movements.filter(inTime))) {
      for (const reached of current.get(direction.entry(movement)) ?? []) {
        movement.items.forEach((item, place) => {
          if (direction.continues(reached.goods, movement, item)) reach(movement, place, reached);
        });
      }
    }
  }

  for (const one of start.goods) reachGoods({ goods: one, hops: 0, by: undefined });
  for (let hops = 1; hops === 1 || (hops <= maxHops && frontier.length > 0); hops += 1) {
    await step((movement, place, reached) => reachItem(movement, place, hops, reached));
    if (hops > 1) continue;
    for (const { movement, items } of start.shipments.filter((one) => inTime(one.movement))) {
      for (const place of items) reachItem(movement, place, 1, undefined);
    }
  }
  // What is still to be followed may lead nowhere: only one step further tells.
  await step((movement, place) => {
    if (shipments.get(movement.id)?.items.has(place) !== true) truncated = true;
  });
  const byHops = [...shipments.values()].sort((a, b) => a.hops - b.hops || compare(a.movement, b.movement));
  return { shipments: byHops, goods, truncated };
}

function groupByFacility(reached: readonly Reached[]): Map<string, Reached[]> {
  const groups = new Map<string, Reached[]>();
  for (const one of reached) {
    const group = groups.get(one.goods.facilityId);
    if (group === undefined) groups.set(one.goods.facilityId, [one]);
    else group.push(one);
  }
  return groups;
}

function goodsKey(facilityId: string, lot: string | null): string {
  return JSON.stringify([facilityId, lot]);
}

function inOrder(movements: readonly Movement[]): Movement[] {
  return [...movements].sort(compare);
}

function compare(a: Movement, b: Movement): number {
  if (a.departure !== b.departure) return a.departure < b.departure ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
