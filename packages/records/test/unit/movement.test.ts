import type { Shipment } from '../../contracts/shipments';
import { toMovement } from '../../domain/collections';

const CANCELLED: Shipment = {
  originFacilityId: 'a',
  destinationFacilityId: 'b',
  status: 'cancelled',
  contents: [{ product: 'Milk', quantityKilograms: 1 }],
  plannedDepartureAt: '2026-01-01T00:00:00.000Z',
};

test('only what never left goes nowhere', () => {
  expect(toMovement('s', CANCELLED)).toBeNull();
  const departedAt = '2026-01-02T00:00:00.000Z';
  expect(toMovement('s', { ...CANCELLED, departedAt })).toMatchObject({
    departure: departedAt,
    arrival: departedAt,
  });
});
