import type { Facility } from '../../contracts/facilities';
import type { Shipment } from '../../contracts/shipments';
import type { TracedFacility, TracedShipment } from '../../contracts/trace';
import type { Followed, Passage, Reached } from './follow';

/** What a trace shows of the record of a shipment. */
export type ShownShipment = Pick<Shipment, 'reference' | 'status'>;
export type ShownFacility = Pick<Facility, 'name' | 'kind'>;

/** The followed shipments as callers see them; one that was deleted meanwhile is left out. */
export function describeShipments(
  { shipments }: Followed,
  isUpstream: boolean,
  records: ReadonlyMap<string, ShownShipment>,
): TracedShipment[] {
  return shipments.flatMap((reached) => {
    const { movement, hops, items } = reached;
    const record = records.get(movement.id);
    if (record === undefined) return [];
    const lots = [...items].map((place) => movement.items[place]?.lot ?? null);
    return [
      {
        id: movement.id,
        reference: record.reference,
        status: record.status,
        hops,
        originFacilityId: movement.originId,
        destinationFacilityId: movement.destinationId,
        departureAt: movement.departure,
        arrivalAt: movement.arrival,
        ...describeLots(lots),
        path: buildPath(reached, isUpstream),
      },
    ];
  });
}

/** The reached facilities as callers see them, the nearest first. */
export function describeFacilities(
  { goods }: Followed,
  isUpstream: boolean,
  records: ReadonlyMap<string, ShownFacility>,
): TracedFacility[] {
  const byFacility = new Map<string, Reached[]>();
  for (const reached of goods) {
    const { facilityId } = reached.goods;
    const all = byFacility.get(facilityId);
    if (all === undefined) byFacility.set(facilityId, [reached]);
    else all.push(reached);
  }
  return [...byFacility].flatMap(([id, all]) => {
    const record = records.get(id);
    const [first] = all;
    if (record === undefined || first === undefined) return [];
    const nearest = pickFirst(
      all.filter(({ hops }) => hops === first.hops),
      isUpstream,
    );
    return [
      {
        id,
        name: record.name,
        kind: record.kind,
        hops: nearest.hops,
        at: pickFirst(all, isUpstream).goods.at,
        ...describeLots(all.map((reached) => reached.goods.lot)),
        path: buildPath(nearest.by, isUpstream),
        pathAt: nearest.goods.at,
      },
    ];
  });
}

/** Picks the goods of the earliest time; upstream, of the latest. */
function pickFirst(some: readonly Reached[], isUpstream: boolean): Reached {
  return some.reduce((best, one) => {
    const isBefore = isUpstream ? one.goods.at > best.goods.at : one.goods.at < best.goods.at;
    return isBefore ? one : best;
  });
}

function describeLots(lots: readonly (string | null)[]): { lots: string[]; unknownLots: boolean } {
  const known = new Set(lots.filter((lot) => lot !== null));
  return { lots: [...known].sort(), unknownLots: lots.includes(null) };
}

function buildPath(last: Passage | undefined, isUpstream: boolean): string[] {
  const path: string[] = [];
  for (let one = last; one !== undefined; one = one.behind?.by) path.push(one.movement.id);
  return isUpstream ? path : path.reverse();
}
