import type { DocumentStore } from '../../../src/stores/documents';
import { createToolRegistry, type ToolRegistry } from '../../../src/tools/registry';
import { builtin, registration, testStores } from './registry-fixtures';

const CALLS: Readonly<Record<string, (tools: ToolRegistry) => Promise<unknown>>> = {
  seed: (tools) => tools.seed(),
  'register a new tool': (tools) => tools.register(registration('new')),
  'register over a tool': (tools) => tools.register(registration('old', '() => 2')),
  'register over a built-in': (tools) => tools.register(registration('calculator')),
  'remove a tool': (tools) => tools.remove('old'),
  'remove a built-in': (tools) => tools.remove('calculator'),
  clear: (tools) => tools.clear(),
  restore: (tools) => tools.restoreBuiltins(),
};

/** More calls of the store than one undisturbed call of the registry makes. */
const MAX_STORE_CALLS = 6;

/** A store that runs `disturb` once, just before its call with that number. */
function disturbed(documents: DocumentStore, number: number, disturb: () => Promise<unknown>): DocumentStore {
  let calls = 0;
  return new Proxy(documents, {
    get: (target, name: keyof DocumentStore) => {
      const method = target[name].bind(target) as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        calls += 1;
        if (calls === number) await disturb();
        return method(...args);
      };
    },
  });
}

describe('two calls of the tool registry, one in the middle of the other', () => {
  const stores = testStores();
  const documents = stores.connect();
  const registryOn = (store: DocumentStore): ToolRegistry =>
    createToolRegistry({ documents: store, builtins: [builtin('calculator')], maxTools: 100 });
  const other = registryOn(documents);
  afterAll(() => stores.dispose());

  // Two interleaved calls must leave the same state as one after the other, in either order.
  const found = async (): Promise<unknown> => {
    const tools = await other.list();
    expect(await other.count()).toBe(tools.length);
    const implementations = await other.getMany(tools.map(({ name }) => name));
    return tools.map(({ name, description }) => [
      name,
      description,
      implementations.get(name)?.implementation,
    ]);
  };
  const reset = async (): Promise<void> => {
    await other.clear();
    await other.restoreBuiltins();
    await other.register(registration('old'));
  };

  const pairs = Object.keys(CALLS).flatMap((outer) =>
    Object.keys(CALLS).map((inner) => [outer, inner] as const),
  );

  it.each(pairs)('%s, then %s', async (outerName, innerName) => {
    const [outer, inner] = [CALLS[outerName], CALLS[innerName]];
    if (outer === undefined || inner === undefined) throw new Error('No such call');
    const inTurn: string[] = [];
    for (const outerFirst of [true, false]) {
      await reset();
      const first = comparable(await (outerFirst ? outer : inner)(other));
      const second = comparable(await (outerFirst ? inner : outer)(other));
      const [ofOuter, ofInner] = outerFirst ? [first, second] : [second, first];
      inTurn.push(JSON.stringify({ ofOuter, ofInner, found: await found() }));
    }
    for (let number = 1; number <= MAX_STORE_CALLS; number += 1) {
      await reset();
      let innerCall: Promise<unknown> | undefined;
      const callInner = (): Promise<unknown> => (innerCall ??= inner(other));
      const ofOuter = comparable(await outer(registryOn(disturbed(documents, number, callInner))));
      // An outer call with fewer calls of the store has ended before the inner one began.
      const ofInner = comparable(await callInner());
      expect(inTurn).toContain(JSON.stringify({ ofOuter, ofInner, found: await found() }));
    }
  });
});

/** The result of a call without the parts that depend on the clock. */
function comparable(returned: unknown): unknown {
  if (typeof returned !== 'object' || returned === null) return returned ?? null;
  return 'registeredAt' in returned ? { ...returned, registeredAt: '' } : returned;
}
