import { agentInitializeRoute } from '../../../../api/agent/initialize-routes';
import { parseInput } from '../../../../api/http/input';
import { intentRequestSchemas } from '../../../../api/intents/intent-requests';
import { memoryChatInitializeRoute } from '../../../../api/memory-chat/initialize-routes';

const unused = {} as never;
const BODIES = {
  agent: agentInitializeRoute(unused).request.body,
  'memory chat': memoryChatInitializeRoute(unused, unused).request.body,
  intents: intentRequestSchemas({ MAX_BATCH_QUERIES: 1, EGRESS_ALLOW_PRIVATE: false }).initialize,
};
type Area = keyof typeof BODIES;

const graphdb = { uri: 'neo4j://here:7687', username: 'u', password: 'p', database: 'd' };
const vectordb = { apiKey: 'k', environment: 'e', indexName: 'i' };
const embedding = { model: 'lexical-1', dimensions: 768 };
const llmConfig = { hostedApiKey: 'k', hostedModel: 'm', localBaseUrl: 'http://here:1' };

test.each<[Area, object]>([
  ['agent', {}],
  ['agent', { memoryConfig: { graphdb, vectordb, embedding } }],
  ['agent', { memoryConfig: { graphdb: null }, replace: true }],
  ['memory chat', {}],
  ['memory chat', { config: { graphdb, vectordb, embedding } }],
  ['memory chat', { config: { vectordb: null, embedding: null }, replace: true }],
  ['intents', {}],
  ['intents', { llmConfig }],
])('the fields of the interface are accepted: %s %j', (area, body) => {
  expect(parseInput(BODIES[area], body, 'body')).toMatchObject(body);
});

test.each<[Area, object, string, string]>([
  ['agent', { graphdb }, 'graphdb', 'is not known here; it belongs at memoryConfig.graphdb'],
  ['agent', { config: { graphdb } }, 'config', 'is not known; the nearest is memoryConfig'],
  [
    'agent',
    { memoryConfig: { graphDb: graphdb } },
    'memoryConfig.graphDb',
    'is not known; the nearest is graphdb',
  ],
  [
    'agent',
    { memoryConfig: { graphdb: { ...graphdb, user: 'u' } } },
    'memoryConfig.graphdb.user',
    'is not known; the nearest is username',
  ],
  ['memory chat', { vectordb }, 'vectordb', 'is not known here; it belongs at config.vectordb'],
  ['memory chat', { memoryConfig: { vectordb } }, 'memoryConfig', 'is not known; the nearest is config'],
  [
    'memory chat',
    { config: { vectordb: { ...vectordb, index: 'i' } } },
    'config.vectordb.index',
    'is not known; the nearest is indexName',
  ],
  [
    'memory chat',
    { config: { embedding: { name: 'm' } } },
    'config.embedding.name',
    'is not known; known are model, dimensions',
  ],
  ['intents', { hostedModel: 'm' }, 'hostedModel', 'is not known here; it belongs at llmConfig.hostedModel'],
  [
    'intents',
    { llmConfig: { apiKey: 'k' } },
    'llmConfig.apiKey',
    'is not known; the nearest is hostedApiKey',
  ],
])('a misplaced or misspelt field is refused and named: %s %j', (area, body, field, problem) => {
  expect(() => parseInput(BODIES[area], body, 'body')).toThrow(
    expect.objectContaining({ code: 'VALIDATION', details: { field, message: `${field} ${problem}` } }),
  );
});
