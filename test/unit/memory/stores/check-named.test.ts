import { loadConfig } from '../../../../src/settings/config';
import { checkNamed } from '../../../../src/memory/stores/check-named';
import type { StoreSettings } from '../../../../src/memory/stores/settings';

const CONFIGURED = {
  NEO4J_URI: 'neo4j://db:7687',
  NEO4J_PASSWORD: 'secret',
  NEO4J_DATABASE: 'configured',
  PINECONE_API_KEY: 'pcsk_configured',
  PINECONE_INDEX: 'configured',
  MEMORY_EMBEDDING_MODEL: '/srv/models/own',
  MEMORY_EMBEDDING_MODELS: 'someone/tiny, someone/Other',
};

const check = (settings: StoreSettings, environment: Record<string, string> = CONFIGURED) => {
  checkNamed(loadConfig(environment), settings);
};

test.each<[string, StoreSettings]>([
  ['nothing', {}],
  ['empty sections', { graphdb: {}, vectordb: {}, embedding: {} }],
  ['the configured database', { graphdb: { database: 'configured' } }],
  ['another user of the configured database', { graphdb: { username: 'me', password: 'mine' } }],
  ['a database with its own credentials', { graphdb: { database: 'crm', username: 'me', password: 'mine' } }],
  ['a database of another server', { graphdb: { database: 'crm', uri: 'neo4j://other:7687' } }],
  ['the configured index', { vectordb: { indexName: 'configured', environment: 'us-east-1' } }],
  ['an index with its own key', { vectordb: { indexName: 'other', apiKey: 'pcsk_own' } }],
  ['the configured model', { embedding: { model: '/srv/models/own' } }],
  ['a model of the list', { embedding: { model: 'someone/Other', dimensions: 384 } }],
  ['words', { embedding: { model: 'lexical-1' } }],
  ['a length alone', { embedding: { dimensions: 384 } }],
])('%s may be named', (_what, settings) => {
  expect(() => check(settings)).not.toThrow();
});

test.each<[string, StoreSettings, string]>([
  ['a database alone', { graphdb: { database: 'crm' } }, 'graphdb.database'],
  [
    'a database with half its credentials',
    { graphdb: { database: 'crm', username: 'me' } },
    'graphdb.database',
  ],
  ['a database with the other half', { graphdb: { database: 'crm', password: 'mine' } }, 'graphdb.database'],
  ['a user without a password', { graphdb: { username: 'me' } }, 'graphdb.password'],
  ['a password without a user', { graphdb: { password: 'mine' } }, 'graphdb.username'],
  ['an index alone', { vectordb: { indexName: 'other' } }, 'vectordb.indexName'],
  ['another model', { embedding: { model: 'someone/large' } }, 'embedding.model'],
  ['a model in other letters', { embedding: { model: 'someone/other' } }, 'embedding.model'],
])('%s may not be named', (_what, settings, field) => {
  expect(() => check(settings)).toThrow(
    expect.objectContaining({ code: 'VALIDATION', details: expect.objectContaining({ field }) }),
  );
});

test('by default the configured model is the only one of the hub, and a folder of the operator is shown to no caller', () => {
  const model = 'Xenova/all-mpnet-base-v2';
  expect(() => check({ embedding: { model } }, {})).not.toThrow();
  expect(() => check({ embedding: { model: 'someone/large' } }, {})).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(
        /has to be one of Xenova\/all-mpnet-base-v2, lexical-1; .*MEMORY_EMBEDDING_MODELS/,
      ),
    }),
  );
  expect(() => check({ embedding: { model: 'someone/large' } })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('/srv') }),
  );
});

test('where no database is configured, every one that is named needs credentials of its own', () => {
  expect(() => check({ graphdb: { database: 'neo4j' } }, { NEO4J_URI: 'neo4j://db:7687' })).toThrow(
    /graphdb.username/,
  );
});
