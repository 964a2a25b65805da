import type { Shipment } from '../../../src/contracts/http/records/shipments';
import { movementOf } from '../../../src/records/movement';

const CANCELLED: Shipment = {
  originFacilityId: 'a',
  destinationFacilityId: 'b',
  status: 'cancelled',
  contents: [{ product: 'Milk', quantityKilograms: 1 }],
  plannedDepartureAt: '2026-01-01T00:00:00.000Z',
};

test('only what never left goes nowhere', () => {
  expect(movementOf('s', CANCELLED)).toBeNull();
  const departedAt = '2026-01-02T00:00:00.000Z';
  expect(movementOf('s', { ...CANCELLED, departedAt })).toMatchObject({
    departure: departedAt,
    arrival: departedAt,
  });
});
