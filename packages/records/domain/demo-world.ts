import type { z } from 'zod';
import type { contaminantFields } from '../contracts/contaminants';
import type { facilityFields } from '../contracts/facilities';
import type { inspectionFields } from '../contracts/inspections';
import type { shipmentFields } from '../contracts/shipments';

type Fields<S extends z.ZodType> = z.input<S> & { readonly id: string };

/** Records in an order in which they can be created. */
export interface DemoWorld {
  readonly facilities: readonly Fields<typeof facilityFields>[];
  readonly shipments: readonly Fields<typeof shipmentFields>[];
  readonly inspections: readonly Fields<typeof inspectionFields>[];
  readonly contaminants: readonly Fields<typeof contaminantFields>[];
}

type Shipment = DemoWorld['shipments'][number];

function facility(
  id: string,
  kind: DemoWorld['facilities'][number]['kind'],
  name: string,
  place: readonly [city: string, countryCode: string, latitude: number, longitude: number],
  rest: Partial<DemoWorld['facilities'][number]> = {},
): DemoWorld['facilities'][number] {
  const [city, countryCode, latitude, longitude] = place;
  return { id, kind, name, address: { city, countryCode }, coordinates: { latitude, longitude }, ...rest };
}

function shipment(
  id: string,
  ends: readonly [origin: string, destination: string],
  times: readonly [departed: string, arrived: string],
  contents: Shipment['contents'],
  rest: Partial<Shipment> = {},
): Shipment {
  const [originFacilityId, destinationFacilityId] = ends;
  const [departedAt, arrivedAt] = times.map((time) => `2026-04-${time}:00Z`);
  return {
    id,
    reference: id.toUpperCase(),
    originFacilityId,
    destinationFacilityId,
    departedAt,
    arrivedAt,
    status: 'delivered',
    contents,
    carrier: { name: 'Frigo Alpina', vehicle: 'FG 204 KL' },
    ...rest,
  };
}

const milk = (lot: string, quantityKilograms: number): Shipment['contents'][number] => ({
  product: 'Raw milk',
  lot,
  quantityKilograms,
});

const cheese = (lot: string, quantityKilograms: number): Shipment['contents'][number] => ({
  product: 'Robiola, soft cheese',
  gtin: '08012345678907',
  lot,
  quantityKilograms,
});

/** Cheese that the dairy made from the milk of both farms. */
const fresh = (quantityKilograms: number): Shipment['contents'][number] => ({
  ...cheese('ROB-0412', quantityKilograms),
  sourceLots: ['MILK-P-0410', 'MILK-S-0410'],
  bestBefore: '2026-05-12',
});

const COLD = { temperatureLimitsCelsius: { min: 0, max: 6 } };

/**
 * A small supply chain of soft cheese with a recall in it: Listeria is found at a wholesaler in one lot, which was made
 * of milk from two farms and has gone on to shops, a school kitchen and another packer. Other lots went the same ways.
 */
export const DEMO_WORLD: DemoWorld = {
  facilities: [
    facility('farm-pellice', 'farm', 'Cascina Pellice', ['Torre Pellice', 'IT', 44.82, 7.22]),
    facility('farm-stura', 'farm', 'Cascina Stura', ['Demonte', 'IT', 44.31, 7.3]),
    facility('dairy-saluzzo', 'processor', 'Caseificio Saluzzo', ['Saluzzo', 'IT', 44.64, 7.49], {
      licence: { number: 'IT 01 234 CE', authority: 'Ministero della Salute', validUntil: '2028-12-31' },
      capacity: { coldStorageTonnes: 40, throughputTonnesPerDay: 6 },
    }),
    facility('cold-store-turin', 'cold_store', 'Frigo Torino Sud', ['Torino', 'IT', 45.03, 7.63], {
      capacity: { storageTonnes: 900, coldStorageTonnes: 900 },
    }),
    facility('packer-asti', 'packer', 'Confezioni Asti', ['Asti', 'IT', 44.9, 8.21]),
    facility('wholesaler-lyon', 'wholesaler', 'Crémerie en gros du Rhône', ['Lyon', 'FR', 45.76, 4.84]),
    facility('shop-grenoble', 'retailer', 'Fromagerie des Halles', ['Grenoble', 'FR', 45.19, 5.73]),
    facility('shop-geneva', 'retailer', 'Laiterie du Molard', ['Genève', 'CH', 46.2, 6.15]),
    facility('kitchen-lyon', 'food_service', 'Cuisine centrale des écoles', ['Lyon', 'FR', 45.73, 4.87]),
    facility('shop-milan', 'retailer', 'Gastronomia Brera', ['Milano', 'IT', 45.47, 9.19]),
  ],
  shipments: [
    shipment(
      'milk-0403',
      ['farm-pellice', 'dairy-saluzzo'],
      ['03T04:30', '03T06:10'],
      [milk('MILK-P-0403', 5_200)],
    ),
    shipment(
      'cheese-0406',
      ['dairy-saluzzo', 'cold-store-turin'],
      ['06T09:00', '06T10:30'],
      [{ ...cheese('ROB-0405', 800), sourceLots: ['MILK-P-0403'] }],
    ),
    shipment(
      'lyon-0408',
      ['cold-store-turin', 'wholesaler-lyon'],
      ['08T05:00', '08T10:45'],
      [cheese('ROB-0405', 500)],
    ),
    shipment(
      'milk-0410-p',
      ['farm-pellice', 'dairy-saluzzo'],
      ['10T04:30', '10T06:05'],
      [milk('MILK-P-0410', 4_900)],
    ),
    shipment(
      'milk-0410-s',
      ['farm-stura', 'dairy-saluzzo'],
      ['10T03:50', '10T05:40'],
      [milk('MILK-S-0410', 3_100)],
    ),
    shipment(
      'cheese-0413',
      ['dairy-saluzzo', 'cold-store-turin'],
      ['13T09:00', '13T10:35'],
      [fresh(1_150)],
      COLD,
    ),
    shipment(
      'lyon-0414',
      ['cold-store-turin', 'wholesaler-lyon'],
      ['14T05:00', '14T11:20'],
      [cheese('ROB-0412', 600), cheese('ROB-0405', 100)],
      {
        ...COLD,
        temperatureLog: [
          { recordedAt: '2026-04-14T05:00:00Z', celsius: 4.1 },
          { recordedAt: '2026-04-14T08:00:00Z', celsius: 7.9 },
          { recordedAt: '2026-04-14T11:00:00Z', celsius: 5.2 },
        ],
      },
    ),
    shipment(
      'milan-0414',
      ['cold-store-turin', 'shop-milan'],
      ['14T06:00', '14T08:15'],
      [cheese('ROB-0405', 60)],
    ),
    shipment(
      'asti-0415',
      ['cold-store-turin', 'packer-asti'],
      ['15T07:00', '15T08:00'],
      [cheese('ROB-0412', 400)],
    ),
    shipment(
      'grenoble-0415',
      ['wholesaler-lyon', 'shop-grenoble'],
      ['15T04:00', '15T05:40'],
      [cheese('ROB-0412', 80)],
    ),
    shipment(
      'geneva-0415',
      ['wholesaler-lyon', 'shop-geneva'],
      ['15T04:30', '15T07:00'],
      [cheese('ROB-0405', 40)],
    ),
    shipment(
      'kitchen-0416',
      ['wholesaler-lyon', 'kitchen-lyon'],
      ['16T05:00', '16T05:40'],
      [cheese('ROB-0412', 120)],
    ),
    shipment(
      'milan-0417',
      ['packer-asti', 'shop-milan'],
      ['17T06:00', '17T07:30'],
      [
        {
          product: 'Robiola with herbs',
          lot: 'HERB-0416',
          sourceLots: ['ROB-0412'],
          quantityKilograms: 90,
        },
      ],
    ),
    {
      id: 'geneva-0421',
      reference: 'GENEVA-0421',
      originFacilityId: 'wholesaler-lyon',
      destinationFacilityId: 'shop-geneva',
      status: 'planned',
      plannedDepartureAt: '2026-04-21T04:30:00Z',
      plannedArrivalAt: '2026-04-21T07:00:00Z',
      contents: [cheese('ROB-0412', 55)],
    },
  ],
  inspections: [
    {
      id: 'inspection-lyon-0419',
      facilityId: 'wholesaler-lyon',
      kind: 'routine',
      inspector: { name: 'Claire Morel', organisation: 'DDPP du Rhône' },
      inspectedAt: '2026-04-19T08:30:00Z',
      result: 'failed',
      lots: ['ROB-0412', 'ROB-0405'],
      findings: [
        { severity: 'critical', description: 'Listeria monocytogenes in a sample of lot ROB-0412' },
        { severity: 'minor', description: 'Thermometer of the cold room not calibrated since March' },
      ],
    },
    {
      id: 'inspection-saluzzo-0420',
      facilityId: 'dairy-saluzzo',
      kind: 'follow_up',
      inspector: { name: 'Paolo Giordano', organisation: 'ASL CN1' },
      inspectedAt: '2026-04-20T07:00:00Z',
      result: 'conditional',
      findings: [
        {
          severity: 'major',
          description: 'Standing water under the draining tables',
          correctiveAction: 'Drain to be relaid',
          dueDate: '2026-05-15',
        },
      ],
    },
  ],
  contaminants: [
    {
      id: 'listeria',
      name: 'Listeria monocytogenes',
      class: 'microbiological',
      unit: 'CFU/g',
      limit: {
        value: 100,
        source: 'Regulation (EC) No 2073/2005, Annex I, 1.3',
        jurisdiction: 'EU',
        product: 'Ready-to-eat food unable to support its growth, during its shelf life',
      },
      detections: [
        {
          shipmentId: 'lyon-0414',
          lot: 'ROB-0412',
          value: 480,
          detectedAt: '2026-04-19T08:30:00Z',
          method: 'ISO 11290-2',
        },
      ],
    },
    {
      id: 'aflatoxin-m1',
      name: 'Aflatoxin M1',
      class: 'chemical',
      unit: 'µg/kg',
      casNumber: '6795-23-9',
      limit: {
        value: 0.05,
        source: 'Regulation (EU) 2023/915, Annex I',
        jurisdiction: 'EU',
        product: 'Raw milk',
      },
      detections: [],
    },
  ],
};
