import type { Facility } from '../../contracts/facilities';
import type { Reached } from '../../domain/trace/follow';
import { describeFacilities } from '../../domain/trace/report';

const at = (day: number): string => `2026-01-0${day}T00:00:00.000Z`;

function reached(day: number, hops: number, ways: readonly string[]): Reached {
  const by = ways.reduce<Reached['by']>((before, id, place) => {
    const movement = { id, originId: 'a', destinationId: 'b', departure: at(1), arrival: at(day), items: [] };
    const goods = { facilityId: 'b', lot: null, at: at(1) };
    const behind = before === undefined ? undefined : { goods, hops: place, by: before };
    return { movement, hops: place + 1, items: new Set([0]), behind };
  }, undefined);
  return { goods: { facilityId: 'c', lot: null, at: at(day) }, hops, by };
}

test.each([
  [false, at(2), at(5)],
  [true, at(7), at(6)],
])('the time of a facility by any way, and that by its path (upstream: %s)', (isUpstream, any, own) => {
  const goods = [
    reached(6, 1, ['later']),
    reached(5, 1, ['direct']),
    reached(isUpstream ? 7 : 2, 2, ['x', 'y']),
  ];
  const record = { name: 'C', kind: 'port' } as unknown as Facility;
  const found = describeFacilities(
    { shipments: [], goods, truncated: false },
    isUpstream,
    new Map([['c', record]]),
  );
  expect(found).toMatchObject([{ hops: 1, at: any, pathAt: own, path: [isUpstream ? 'later' : 'direct'] }]);
});
