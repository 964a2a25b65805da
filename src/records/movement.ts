import type { Shipment } from '../contracts/http/records/shipments';
import type { Movement } from '../stores/records/record';

/**
 * The movement of a shipment's goods, for tracing. Planned times stand in for times that are not known yet; without any
 * time of arrival the goods count as arrived when they left. Rejected goods do not arrive at the facility, and a
 * cancelled shipment moves goods only if it had left.
 */
export function toMovement(id: string, shipment: Shipment): Movement | null {
  const { status, originFacilityId, destinationFacilityId, contents } = shipment;
  const departure = shipment.departedAt ?? shipment.plannedDepartureAt;
  const hasLeft = shipment.departedAt !== undefined;
  if ((status === 'cancelled' && !hasLeft) || departure === undefined) return null;
  const arrival = shipment.arrivedAt ?? arrivalAfter(departure, shipment.plannedArrivalAt);
  return {
    id,
    originId: originFacilityId,
    destinationId: destinationFacilityId,
    departure,
    arrival: status === 'rejected' ? null : arrival,
    items: contents.map(({ lot = null, sourceLots = [] }) => ({ lot, sourceLots })),
  };
}

/** The planned arrival, unless the departure was later than that; then the departure. */
function arrivalAfter(departure: string, planned: string | undefined): string {
  return planned === undefined || planned < departure ? departure : planned;
}

/** Whether the temperature left its limits; undefined where there are no limits or nothing was recorded. */
export function hasTemperatureExcursion(shipment: Shipment): 'true' | 'false' | undefined {
  const { temperatureLimitsCelsius: limits, temperatureLog = [] } = shipment;
  if (limits === undefined || temperatureLog.length === 0) return undefined;
  const { min = -Infinity, max = Infinity } = limits;
  return temperatureLog.some(({ celsius }) => celsius < min || celsius > max) ? 'true' : 'false';
}
