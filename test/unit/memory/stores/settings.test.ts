import fc from 'fast-check';
import { loadConfig } from '../../../../src/settings/config';
import {
  combine,
  nameStores,
  resolveStores,
  type StoreSettings,
} from '../../../../src/memory/stores/settings';
import { placesOf } from '../../../../src/memory/service/memory-settings';

const resolve = (settings: StoreSettings, environment: Record<string, string> = {}) =>
  resolveStores(loadConfig(environment), settings);

const NEO4J = {
  NEO4J_URI: 'neo4j://configured:7687',
  NEO4J_USERNAME: 'operator',
  NEO4J_PASSWORD: 'configured-password',
  NEO4J_DATABASE: 'configured-database',
};

test('settings that say nothing leave everything as it is configured', () => {
  for (const environment of [{}, NEO4J, { PINECONE_API_KEY: 'pcsk_env', VECTOR_STORE: 'pinecone' }]) {
    const config = loadConfig(environment);
    for (const settings of [{}, { graphdb: {}, vectordb: {}, embedding: {} }]) {
      const { memory, isAddressNamed, isModelNamed } = resolveStores(config, settings);
      expect({ ...config, ...memory }).toEqual({ ...config });
      expect([isAddressNamed, isModelNamed]).toEqual([false, false]);
    }
  }
});

test('an address that is named gets nothing of the configured credentials', () => {
  const { memory, isAddressNamed } = resolve({ graphdb: { uri: 'bolt://elsewhere' } }, NEO4J);
  expect(memory.neo4j).toEqual({
    uri: 'bolt://elsewhere',
    username: 'neo4j',
    password: '',
    egress: { allowPrivate: false, names: 'servers' },
  });
  expect(isAddressNamed).toBe(true);
});

test('without an address the configured server is meant, with what is given', () => {
  const { memory, isAddressNamed } = resolve({ graphdb: { password: 'own', database: 'other' } }, NEO4J);
  expect(memory.neo4j).toEqual({
    uri: 'neo4j://configured:7687',
    username: 'operator',
    password: 'own',
    database: 'other',
  });
  expect(isAddressNamed).toBe(false);
});

test.each([
  ['graphdb.uri', { graphdb: { password: 'own' } }],
  ['vectordb.apiKey', { vectordb: { indexName: 'mine' } }],
])('%s is needed where the environment has none', (field, settings) => {
  expect(() => resolve(settings)).toThrow(
    expect.objectContaining({ code: 'VALIDATION', details: expect.objectContaining({ field }) }),
  );
});

test('an index of vectors that is named is used also where none was configured', () => {
  const vectordb = { apiKey: 'pcsk_own', indexName: 'mine', environment: 'eu-west-1' };
  const { memory } = resolve({ vectordb }, { VECTOR_STORE: 'none' });
  expect(memory).toMatchObject({ VECTOR_STORE: 'pinecone', pinecone: vectordb });
  const { memory: rest } = resolve({ vectordb: { apiKey: 'pcsk_own' } }, { PINECONE_INDEX: 'configured' });
  expect(rest.pinecone).toMatchObject({ apiKey: 'pcsk_own', indexName: 'configured' });
});

test('a model that is named has no fallback, unless it is the configured one', () => {
  const named = resolve({ embedding: { model: 'someone/other', dimensions: 384 } });
  expect(named.isModelNamed).toBe(true);
  expect(named.memory).toMatchObject({
    MEMORY_EMBEDDING_PROVIDER: 'transformers',
    MEMORY_EMBEDDING_MODEL: 'someone/other',
    MEMORY_EMBEDDING_DIMENSIONS: 384,
  });
  const { MEMORY_EMBEDDING_MODEL: model, MEMORY_EMBEDDING_DIMENSIONS: dimensions } = loadConfig({});
  const configured = resolve({ embedding: { model, dimensions } });
  expect([configured.isModelNamed, configured.memory.MEMORY_EMBEDDING_PROVIDER]).toEqual([false, 'auto']);
  expect(resolve({ embedding: { model: 'lexical-1' } }).memory.MEMORY_EMBEDDING_PROVIDER).toBe('lexical');
});

const word = fc.string({ minLength: 1, maxLength: 8 });
const section = <T extends object>(shape: fc.Arbitrary<T>) => fc.option(shape, { nil: undefined });
const anySettings: fc.Arbitrary<StoreSettings> = fc
  .record({
    graphdb: section(fc.record({ uri: word, password: word }, { requiredKeys: [] })),
    vectordb: section(fc.record({ apiKey: word, indexName: word }, { requiredKeys: [] })),
    embedding: section(fc.record({ model: word, dimensions: fc.integer() }, { requiredKeys: [] })),
  })
  .map((sections) => Object.fromEntries(Object.entries(sections).filter(([, value]) => value !== undefined)));

test('of several settings each section is that of the first that says something about it, whole', () => {
  fc.assert(
    fc.property(fc.array(anySettings, { maxLength: 4 }), (all) => {
      const combined = combine(all);
      for (const name of ['graphdb', 'vectordb', 'embedding'] as const) {
        const first = all
          .map((settings) => settings[name])
          .find((each) => each && Object.keys(each).length > 0);
        expect(combined[name]).toEqual(first);
      }
      expect(combine([combined])).toEqual(combined);
      expect(combine([{}, combined])).toEqual(combined);
    }),
  );
});

test('stores are the same place by server and database, and by index and key', () => {
  const place = (settings: StoreSettings) => placesOf(resolve(settings).memory);
  const graphdb = { uri: 'bolt://one', password: 'a' };
  expect(place({ graphdb })).toEqual(place({ graphdb: { ...graphdb, password: 'b' } }));
  expect(place({ graphdb })).not.toEqual(place({ graphdb: { ...graphdb, database: 'other' } }));
  expect(place({}).graphdb).toBe(place({ vectordb: { apiKey: 'k' } }).graphdb);
  expect(place({}).vectordb).not.toBe(place({ vectordb: { apiKey: 'k' } }).vectordb);
});

describe('stores that an initialization names', () => {
  const graphdb = { uri: 'bolt://one', password: 'a' };
  const vectordb = { apiKey: 'k', indexName: 'mine' };
  const name = (before: StoreSettings, named: Parameters<typeof nameStores>[1]) =>
    nameStores(before, named, resolve);

  test('are added to those that were named, if their section was not', () => {
    expect(name({ graphdb }, { vectordb })).toEqual({ settings: { graphdb, vectordb }, differing: [] });
    expect(name({ graphdb }, { graphdb: {}, vectordb: null })).toEqual({
      settings: { graphdb },
      differing: [],
    });
  });

  test('are the same if they mean the same', () => {
    const spelt = { ...graphdb, username: 'neo4j' };
    expect(name({ graphdb }, { graphdb: spelt })).toEqual({ settings: { graphdb }, differing: [] });
  });

  test('replace others as a whole, and null those of the environment', () => {
    const other = { uri: 'bolt://two' };
    const before = { graphdb, vectordb };
    expect(name(before, { graphdb: other, vectordb: null })).toEqual({
      settings: { graphdb: other },
      differing: ['graphdb', 'vectordb'],
    });
    expect(name(before, { graphdb: { ...graphdb, password: 'b' } }).differing).toEqual(['graphdb']);
  });

  test('differ from those that the environment no longer completes', () => {
    expect(name({ vectordb: { indexName: 'mine' } }, { vectordb }).differing).toEqual(['vectordb']);
  });
});
