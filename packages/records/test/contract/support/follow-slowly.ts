import type { MovedItem, Movement } from '../../../stores/record';
import type { Start } from '../../../domain/trace/follow';

interface Bounds {
  readonly isUpstream: boolean;
  readonly matchLots: boolean;
  readonly maxHops: number;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** One of the contents of a shipment. */
interface Node {
  readonly way: Movement;
  readonly place: number;
  readonly item: MovedItem;
}

/** Whether goods of one shipment may have continued in another: at the same facility, later, and of the same lot. */
function leadsTo(before: Node, after: Node, matchLots: boolean): boolean {
  if (before.way.arrival === null) return false;
  if (before.way.destinationId !== after.way.originId) return false;
  if (before.way.arrival > after.way.departure) return false;
  if (!matchLots || before.item.lot === null || after.item.lot === null) return true;
  return before.item.lot === after.item.lot || after.item.sourceLots.includes(before.item.lot);
}

/**
 * What `follow` has to find: a breadth-first walk over the contents of all shipments, each compared with each.
 * @returns hops and places of the contents, by shipment
 */
export function followSlowly(
  ways: readonly Movement[],
  start: Start,
  { isUpstream, matchLots, maxHops, from, to }: Bounds,
): Record<string, { hops: number; items: number[] }> {
  const nodes = ways.flatMap((way) => way.items.map((item, place): Node => ({ way, place, item })));
  const inTime = ({ way }: Node): boolean =>
    (from === undefined || way.departure >= from) && (to === undefined || way.departure <= to);
  const isFirst = (node: Node): boolean =>
    inTime(node) &&
    start.goods.some(({ facilityId, lot, at }) => {
      const { way, item } = node;
      const isLot = lot === null || item.lot === null || item.lot === lot;
      if (isUpstream)
        return way.destinationId === facilityId && way.arrival !== null && way.arrival <= at && isLot;
      const isMade = lot !== null && item.sourceLots.includes(lot);
      return way.originId === facilityId && way.departure >= at && (isLot || isMade);
    });
  const isGiven = ({ way, place }: Node): boolean =>
    start.shipments.some(({ movement, items }) => movement.id === way.id && items.includes(place));

  const depth = new Map<Node, number>();
  let level = nodes.filter((node) => isFirst(node) || (inTime(node) && isGiven(node)));
  for (let hops = 1; hops <= maxHops && level.length > 0; hops += 1) {
    for (const node of level) depth.set(node, hops);
    const last = level;
    level = nodes.filter(
      (node) =>
        !depth.has(node) &&
        inTime(node) &&
        last.some((one) => (isUpstream ? leadsTo(node, one, matchLots) : leadsTo(one, node, matchLots))),
    );
  }
  const found: Record<string, { hops: number; items: number[] }> = {};
  for (const [{ way, place }, hops] of depth) {
    const { items = [], hops: known = hops } = found[way.id] ?? {};
    found[way.id] = { hops: Math.min(known, hops), items: [...items, place].sort() };
  }
  return found;
}
