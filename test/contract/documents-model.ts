import * as fc from 'fast-check';
import type { DocumentStore, DocumentWrite } from '../../src/stores/documents';
import type { DocumentStoreHarness } from './support/harness';

interface ModelDocument {
  readonly value: unknown;
  readonly version: number;
  readonly expiresAt: number | undefined;
}

/** The port's contract in the simplest possible code. */
class Model {
  readonly #documents = new Map<string, ModelDocument>();

  get(key: string): unknown {
    const found = this.#documents.get(key);
    return found && { key, value: found.value, version: found.version };
  }

  list(after: string, limit: number): unknown[] {
    const keys = [...this.#documents.keys()].filter((key) => key > after).sort();
    return keys.slice(0, limit).map((key) => this.get(key));
  }

  write(writes: readonly DocumentWrite[]): boolean {
    const matches = ({ key, ifVersion }: DocumentWrite): boolean =>
      ifVersion === undefined || (this.#documents.get(key)?.version ?? 0) === ifVersion;
    if (!writes.every(matches)) return false;
    for (const write of writes) {
      const version = (this.#documents.get(write.key)?.version ?? 0) + 1;
      if (write.type === 'delete') this.#documents.delete(write.key);
      else this.#documents.set(write.key, { value: write.value, version, expiresAt: write.expiresAt });
    }
    return true;
  }

  removeExpired(now: number): number {
    const expired = [...this.#documents].filter(
      ([, { expiresAt }]) => expiresAt !== undefined && expiresAt <= now,
    );
    for (const [key] of expired) this.#documents.delete(key);
    return expired.length;
  }
}

type Step = (store: DocumentStore, model: Model, collection: string) => Promise<void>;

// There are few keys, so that steps use the same ones; the order of some pairs depends on how characters are compared.
const key = fc.constantFrom('a', 'b', 'ab', '__proto__', '\u{1F600}', '\uFF5E', '한');
const version = fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined, freq: 2 });
const time = fc.option(fc.integer({ min: 0, max: 10 }), { nil: undefined });
// JSON does not distinguish negative zero from zero.
const value = fc.jsonValue().map((json) => JSON.parse(JSON.stringify(json)) as unknown);

const write = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('put' as const),
      key,
      value,
      ifVersion: version,
      expiresAt: time,
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('delete' as const), key, ifVersion: version }) },
);

const steps: fc.Arbitrary<[string, Step]> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.uniqueArray(write, { selector: ({ key: name }) => name, maxLength: 4 }),
        fc.constantFrom('full' as const, 'process' as const),
      )
      .map(([writes, durability]): [string, Step] => [
        `write ${JSON.stringify(writes)}`,
        async (store, model, collection) => {
          const batch = writes.map((one) => ({ ...one, collection }));
          expect(await store.write(batch, { durability })).toBe(model.write(batch));
        },
      ]),
  },
  {
    weight: 2,
    arbitrary: fc.array(key, { maxLength: 4 }).map((keys): [string, Step] => [
      `get ${JSON.stringify(keys)}`,
      async (store, model, collection) => {
        const many = await store.getMany(collection, keys);
        expect(await store.getEach(collection, keys)).toEqual(many);
        for (const name of keys) {
          expect(await store.get(collection, name)).toEqual(model.get(name));
          expect(many.get(name)).toEqual(model.get(name));
        }
      },
    ]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.oneof(key, fc.constant('')), fc.integer({ min: 0, max: 5 }))
      .map(([after, limit]): [string, Step] => [
        `list after ${JSON.stringify(after)}, ${limit}`,
        async (store, model, collection) => {
          expect(await store.list(collection, { after, limit })).toEqual(model.list(after, limit));
        },
      ]),
  },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 0, max: 10 }).map((now): [string, Step] => [
      `removeExpired ${now}`,
      async (store, model) => {
        expect(await store.removeExpired(now, 1_000)).toBe(model.removeExpired(now));
      },
    ]),
  },
);

export function describeModel(harness: () => DocumentStoreHarness): void {
  it('does what a plain map does, whatever the order of calls', async () => {
    const stores = [harness().connect(), harness().connect()];
    let run = 0;
    const property = fc.asyncProperty(
      fc.array(fc.tuple(steps, fc.integer({ min: 0, max: 1 })), { maxLength: 25 }),
      async (calls) => {
        const model = new Model();
        const collection = `run-${(run += 1)}`;
        // Expiry ignores collections, so documents of earlier runs must not be counted in this one.
        await stores[0]?.removeExpired(Number.MAX_SAFE_INTEGER, 100_000);
        for (const [[, step], which] of calls) {
          const store = stores[which];
          if (store !== undefined) await step(store, model, collection);
        }
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });
}
