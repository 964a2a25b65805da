import type { RecordCollection } from '../contracts/common';
import { CONTAMINANT_CLASSES, CONTAMINANT_UNITS } from '../contracts/contaminants';
import { FACILITY_KINDS, FACILITY_STATUSES } from '../contracts/facilities';
import { FINDING_SEVERITIES, INSPECTION_KINDS, INSPECTION_RESULTS } from '../contracts/inspections';
import { SHIPMENT_STATUSES, type Shipment } from '../contracts/shipments';
import { type CollectionSpec, referenceTo } from './collection-spec';
import type { Movement } from '../stores/record';

const FACILITIES: CollectionSpec<'facilities'> = {
  fields: {
    name: { type: 'text', read: ({ name }) => name },
    kind: { type: 'text', values: FACILITY_KINDS, read: ({ kind }) => kind },
    status: { type: 'text', values: FACILITY_STATUSES, read: ({ status }) => status },
    gln: { type: 'text', read: ({ gln }) => gln },
    city: { type: 'text', read: ({ address }) => address.city },
    region: { type: 'text', read: ({ address }) => address.region },
    countryCode: { type: 'text', read: ({ address }) => address.countryCode },
    licenceNumber: { type: 'text', read: ({ licence }) => licence?.number },
    licenceAuthority: { type: 'text', read: ({ licence }) => licence?.authority },
    licenceValidUntil: { type: 'date', read: ({ licence }) => licence?.validUntil },
    storageTonnes: { type: 'number', read: ({ capacity }) => capacity?.storageTonnes },
    latitude: { type: 'number', read: ({ coordinates }) => coordinates?.latitude },
    longitude: { type: 'number', read: ({ coordinates }) => coordinates?.longitude },
  },
  tags: {},
  sorts: ['name', 'kind', 'status', 'city', 'countryCode'],
  text: ({ name, address, licence, notes }) => [
    name,
    address.street,
    address.city,
    address.region,
    licence?.number,
    notes,
  ],
  references: () => [],
};

const SHIPMENTS: CollectionSpec<'shipments'> = {
  fields: {
    reference: { type: 'text', read: ({ reference }) => reference },
    sscc: { type: 'text', read: ({ sscc }) => sscc },
    status: { type: 'text', values: SHIPMENT_STATUSES, read: ({ status }) => status },
    originFacilityId: { type: 'text', read: ({ originFacilityId }) => originFacilityId },
    destinationFacilityId: { type: 'text', read: ({ destinationFacilityId }) => destinationFacilityId },
    carrier: { type: 'text', description: 'Name of the carrier', read: ({ carrier }) => carrier?.name },
    temperatureExcursion: {
      type: 'text',
      values: ['true', 'false'],
      description:
        'Whether the temperature log leaves the limits; a shipment without a log or limits matches neither value',
      read: hasTemperatureExcursion,
    },
    quantityKilograms: {
      type: 'number',
      description: 'Sum over all contents',
      read: ({ contents }) => contents.reduce((sum, { quantityKilograms }) => sum + quantityKilograms, 0),
    },
    departureAt: {
      type: 'time',
      description: 'The planned time, until the shipment has left',
      read: ({ departedAt, plannedDepartureAt }) => departedAt ?? plannedDepartureAt,
    },
    arrivalAt: {
      type: 'time',
      description: 'The planned time, until the shipment has arrived',
      read: ({ arrivedAt, plannedArrivalAt }) => arrivedAt ?? plannedArrivalAt,
    },
  },
  tags: {
    facilityId: {
      description: 'Origin or destination of the shipment',
      read: ({ originFacilityId, destinationFacilityId }) => [originFacilityId, destinationFacilityId],
    },
    lot: {
      description: 'That of one of the contents',
      read: ({ contents }) => contents.map(({ lot }) => lot),
    },
    sourceLot: {
      description: 'A lot of which one of the contents was made',
      read: ({ contents }) => contents.flatMap(({ sourceLots = [] }) => sourceLots),
    },
    product: {
      description: 'That of one of the contents',
      read: ({ contents }) => contents.map(({ product }) => product),
    },
    gtin: {
      description: 'That of one of the contents',
      read: ({ contents }) => contents.map(({ gtin }) => gtin),
    },
  },
  sorts: ['status', 'departureAt', 'quantityKilograms'],
  text: ({ reference, sscc, contents, carrier, notes }) => [
    reference,
    sscc,
    ...contents.flatMap(({ product, lot }) => [product, lot]),
    carrier?.name,
    carrier?.vehicle,
    carrier?.trackingNumber,
    notes,
  ],
  references: ({ originFacilityId, destinationFacilityId }) => [
    ...referenceTo('facilities', 'originFacilityId', originFacilityId),
    ...referenceTo('facilities', 'destinationFacilityId', destinationFacilityId),
  ],
  movement: toMovement,
};

const CONTAMINANTS: CollectionSpec<'contaminants'> = {
  fields: {
    name: { type: 'text', read: ({ name }) => name },
    class: { type: 'text', values: CONTAMINANT_CLASSES, read: (contaminant) => contaminant.class },
    unit: { type: 'text', values: CONTAMINANT_UNITS, read: ({ unit }) => unit },
    casNumber: { type: 'text', read: ({ casNumber }) => casNumber },
    limitValue: { type: 'number', read: ({ limit }) => limit?.value },
    detectionCount: { type: 'number', read: ({ detections }) => detections.length },
    lastDetectedAt: {
      type: 'time',
      read: ({ detections }) =>
        detections
          .map(({ detectedAt }) => detectedAt)
          .sort()
          .at(-1),
    },
  },
  tags: {
    facilityId: {
      description: 'That of a detection of the contaminant',
      read: (c) => c.detections.map((one) => one.facilityId),
    },
    shipmentId: {
      description: 'That of a detection of the contaminant',
      read: (c) => c.detections.map((one) => one.shipmentId),
    },
    lot: {
      description: 'That of a detection of the contaminant',
      read: (c) => c.detections.map((one) => one.lot),
    },
  },
  sorts: ['name', 'class', 'detectionCount'],
  text: ({ name, casNumber, limit, description }) => [name, casNumber, limit?.source, description],
  references: ({ detections }) =>
    detections.flatMap(({ facilityId, shipmentId }, place) => [
      ...referenceTo('facilities', `detections[${place}].facilityId`, facilityId),
      ...referenceTo('shipments', `detections[${place}].shipmentId`, shipmentId),
    ]),
};

const INSPECTIONS: CollectionSpec<'inspections'> = {
  fields: {
    facilityId: { type: 'text', read: ({ facilityId }) => facilityId },
    shipmentId: { type: 'text', read: ({ shipmentId }) => shipmentId },
    kind: { type: 'text', values: INSPECTION_KINDS, read: ({ kind }) => kind },
    result: { type: 'text', values: INSPECTION_RESULTS, read: ({ result }) => result },
    inspector: {
      type: 'text',
      description: 'Name of the inspector',
      read: ({ inspector }) => inspector.name,
    },
    organisation: {
      type: 'text',
      description: 'Organisation of the inspector',
      read: ({ inspector }) => inspector.organisation,
    },
    findingCount: { type: 'number', read: ({ findings }) => findings.length },
    inspectedAt: { type: 'time', read: ({ inspectedAt }) => inspectedAt },
  },
  tags: {
    lot: { description: 'A lot that was sampled', read: ({ lots = [] }) => lots },
    severity: {
      description: 'Severity of one of the findings',
      values: FINDING_SEVERITIES,
      read: ({ findings }) => findings.map(({ severity }) => severity),
    },
  },
  sorts: ['inspectedAt', 'result', 'findingCount'],
  text: ({ inspector, findings, notes }) => [
    inspector.name,
    inspector.organisation,
    ...findings.flatMap(({ description, correctiveAction }) => [description, correctiveAction]),
    notes,
  ],
  references: ({ facilityId, shipmentId }) => [
    ...referenceTo('facilities', 'facilityId', facilityId),
    ...referenceTo('shipments', 'shipmentId', shipmentId),
  ],
};

/** The fields and tags of each collection; the stores have a column or a property for each field. */
export const COLLECTION_SPECS: { readonly [C in RecordCollection]: CollectionSpec<C> } = {
  facilities: FACILITIES,
  shipments: SHIPMENTS,
  contaminants: CONTAMINANTS,
  inspections: INSPECTIONS,
};

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

/** Whether the temperature left its limits; undefined if there are no limits or nothing was recorded. */
function hasTemperatureExcursion(shipment: Shipment): 'true' | 'false' | undefined {
  const { temperatureLimitsCelsius: limits, temperatureLog = [] } = shipment;
  if (limits === undefined || temperatureLog.length === 0) return undefined;
  const { min = -Infinity, max = Infinity } = limits;
  return temperatureLog.some(({ celsius }) => celsius < min || celsius > max) ? 'true' : 'false';
}
