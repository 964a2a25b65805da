import { facilityFields } from '../../packages/records/contracts/facilities';
import { shipmentFields } from '../../packages/records/contracts/shipments';
import { toNewRecord } from '../../packages/records/domain/to-new-record';
import type { NewRecord } from '../../packages/records/stores/record';

/**
 * How many facilities each tier has, from farms over processors, stores and wholesalers to shops. Goods go from tier
 * to tier, and rarely back.
 */
const TIERS = [200, 100, 60, 120, 200, 220, 100];
const DAYS = 365;
const DAY_MS = 86_400_000;
const BEGIN = Date.UTC(2025, 0, 1);
/** How many of its last lots a facility may still ship. */
const STOCK = 12;
const PRODUCTS = ['Milk', 'Soft cheese', 'Butter', 'Cream', 'Yoghurt', 'Whey powder', 'Hard cheese'];
const STATUSES = ['delivered', 'delivered', 'delivered', 'in_transit', 'rejected'];

/** Generates the same numbers on every machine, by a linear congruential generator (Numerical Recipes). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const facilityId = (number: number): string => `facility-${number}`;

function tierOf(number: number): number {
  let end = 0;
  return TIERS.findIndex((size) => number < (end += size));
}

function begin(tier: number): number {
  return TIERS.slice(0, tier).reduce((sum, size) => sum + size, 0);
}

/**
 * Generates all facilities and then this number of shipments in the order of time, each with a lot that its origin
 * has.
 */
export function* world(shipments: number): Generator<NewRecord> {
  const random = generator(42);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const facilities = TIERS.reduce((sum, size) => sum + size, 0);
  const at = new Date(BEGIN).toISOString();
  for (let number = 0; number < facilities; number += 1) {
    const fields = facilityFields.parse({
      name: `Facility ${number}`,
      kind: ['farm', 'processor', 'cold_store', 'wholesaler', 'retailer', 'retailer', 'food_service'][
        tierOf(number)
      ],
      address: { city: `City ${number % 50}`, countryCode: 'FR' },
    });
    yield toNewRecord('facilities', { id: facilityId(number), createdAt: at, updatedAt: at }, fields);
  }
  const stock = Array.from({ length: facilities }, (): string[] => []);
  for (let number = 0; number < shipments; number += 1) {
    const departed = BEGIN + (number / shipments) * DAYS * DAY_MS;
    const origin = Math.floor(random() * begin(TIERS.length - 1));
    const isBack = random() < 0.05;
    const tier = isBack ? Math.max(1, tierOf(origin) - 1) : tierOf(origin) + 1;
    const destination = begin(tier) + Math.floor(random() * (TIERS[tier] ?? 1));
    if (destination === origin) continue;
    const own = stock[origin] as string[];
    const isMade = own.length === 0 || tierOf(origin) <= 1;
    const lot = isMade ? `LOT-${number}` : pick(own);
    const sourceLots = isMade && own.length > 0 ? [pick(own), pick(own)] : [];
    const there = stock[destination] as string[];
    there.push(lot);
    if (there.length > STOCK) there.shift();
    const time = new Date(departed).toISOString();
    const fields = shipmentFields.parse({
      reference: `REF-${number}`,
      originFacilityId: facilityId(origin),
      destinationFacilityId: facilityId(destination),
      status: pick(STATUSES),
      contents: [
        { product: pick(PRODUCTS), quantityKilograms: 1 + Math.floor(random() * 5_000), lot, sourceLots },
      ],
      carrier: { name: `Carrier ${number % 40}` },
      departedAt: time,
      arrivedAt: new Date(departed + random() * DAY_MS).toISOString(),
    });
    yield toNewRecord('shipments', { id: `shipment-${number}`, createdAt: time, updatedAt: time }, fields);
  }
}
