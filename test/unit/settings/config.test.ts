import { loadConfig } from '../../../src/settings/config';

test('everything has a default, and the result is frozen', () => {
  const config = loadConfig({});
  expect(config).toMatchObject({
    PORT: 3000,
    RECORDS_PORT: 3001,
    HOST: '127.0.0.1',
    loopback: true,
    externalTemporal: false,
  });
  expect(config.DATA_DIR).toMatch(/\/data$/);
  expect(config.FILE_ROOT).toMatch(/\/data\/files$/);
  expect(Object.isFrozen(config)).toBe(true);
});

test('an IPv6 address to listen at may be in brackets', () => {
  expect(loadConfig({ HOST: '[::1]' })).toMatchObject({ HOST: '::1', loopback: true });
  expect(loadConfig({ HOST: '::' })).toMatchObject({ HOST: '::', loopback: false });
});

test('an empty variable counts as absent', () => {
  expect(loadConfig({ PORT: '', TEMPORAL_ADDRESS: '' })).toMatchObject({
    PORT: 3000,
    externalTemporal: false,
  });
});

test.each([
  ['PORT', 'abc'],
  ['PORT', '70000'],
  ['WAIT_LIMIT_MS', '-1'],
  ['EGRESS_ALLOW_PRIVATE', 'maybe'],
  ['LOG_LEVEL', 'loud'],
  ['LLM_DISCOVER', 'maybe'],
  ['RUN_TIMEOUT_MS', '20000'],
  ['WEATHER_FORECAST_URL', 'nowhere'],
  ['PUBLIC_URL', 'holdfast.example'],
  ['PUBLIC_URL', 'ftp://holdfast.example'],
  ['APPROVAL_LINK_SECRET', 'x'.repeat(31)],
  ['WEBHOOK_SECRET', 'whsec_c2hvcnQ='],
  ['WEBHOOK_URL', 'https://user:pass@example.com/hooks'],
  ['WEBHOOK_URL', 'nowhere'],
  ['NEO4J_URI', 'http://localhost:7474'],
  ...['https://temporal.example:7233', 'temporal.example:grpc', '::1'].map((address): [string, string] => [
    'TEMPORAL_ADDRESS',
    address,
  ]),
  ['GRAPH_STORE', 'mongodb'],
  ['WORKER_QUEUES', 'workflows,gpu'],
  ['WORKER_QUEUES', ' , '],
  ['WORKER_MAX_CACHED_WORKFLOWS', '0'],
  ['MEMORY_EMBEDDING_MODELS', 'someone/tiny, ../models'],
  ['MEMORY_EMBEDDING_MAX_BYTES', '0'],
  ['BUILTIN_TOOLS', 'calculator,exec'],
  ['BUILTIN_TOOLS', 'none,calculator'],
  ['PLANNER_ALLOW_HOSTS', 'good.example, http://evil.example'],
  ['PLANNER_ALLOW_HOSTS', Array.from({ length: 101 }, (_, n) => `h${n}.example`).join()],
  ['PLANNER_ALLOW_FILES', 'reports/, ../secrets.key'],
  ['PLANNER_ALLOW_FILES', '/etc/passwd'],
  ...['https://app.example', 'app.example:8443', 'app.example/', '*.example', '*', '::1'].map(
    (name): [string, string] => ['ALLOWED_HOSTS', `other.example, ${name}`],
  ),
  ...['https://app.example/', 'app.example', 'https://app.example:443', 'https://'].map(
    (origin): [string, string] => ['RECORDS_CORS_ORIGINS', `https://other.example, ${origin}`],
  ),
  ...['*', 'null', 'https://app.example/', 'app.example'].map((origin): [string, string] => [
    'CORS_ORIGINS',
    `https://other.example, ${origin}`,
  ]),
  ...[
    'LOCAL_LLM_BASE_URL',
    'OPENAI_BASE_URL',
    'PINECONE_CONTROLLER_URL',
    'MEMORY_EMBEDDING_HUB_URL',
    'TEMPORAL_UI_URL',
  ].map((name): [string, string] => [name, 'localhost:11434/v1']),
])('%s=%s is refused in one line that names it', (name, value) => {
  expect(() => loadConfig({ [name]: value })).toThrow(
    expect.objectContaining({
      code: 'CONFIGURATION',
      message: expect.stringMatching(new RegExp(`^[^\\n]*${name}[^\\n]*$`)),
    }),
  );
});

test('names of hosts and origins are taken as requests have them', () => {
  const names = ['app.example', 'my_host', '10.0.0.7', '[fd00::1]', 'xn--bcher-kva.example'];
  expect(loadConfig({ ALLOWED_HOSTS: ` ${names.join(', ')} ,`.toUpperCase() }).ALLOWED_HOSTS).toEqual(names);
  const origins = ['https://app.example', 'http://[::1]:5173', 'capacitor://localhost', 'null', '*'];
  expect(loadConfig({ RECORDS_CORS_ORIGINS: origins.join() }).RECORDS_CORS_ORIGINS).toEqual(origins);
});

test('pages of other origins may call only where they are named', () => {
  expect(loadConfig({}).CORS_ORIGINS).toEqual([]);
  const named = ['https://app.example', 'http://localhost:5173'];
  expect(loadConfig({ CORS_ORIGINS: named.join() }).CORS_ORIGINS).toEqual(named);
  expect(() => loadConfig({ CORS_ORIGINS: '*' })).toThrow(/pages of any origin \(\*\)/);
});

describe('tools may call private addresses', () => {
  test.each([
    ['127.0.0.1', true],
    ['localhost', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['192.168.1.5', false],
    ['127.example.com', false],
  ])(
    'by default only in a process that is the whole service and listens on loopback: %s',
    (HOST, allowed) => {
      expect(loadConfig({ HOST }, 'whole').EGRESS_ALLOW_PRIVATE).toBe(allowed);
      expect(loadConfig({ HOST, EGRESS_ALLOW_PRIVATE: 'false' }, 'whole').EGRESS_ALLOW_PRIVATE).toBe(false);
      for (const kind of ['worker', 'part'] as const) {
        expect(loadConfig({ HOST }, kind).EGRESS_ALLOW_PRIVATE).toBe(false);
        expect(loadConfig({ HOST, EGRESS_ALLOW_PRIVATE: 'true' }, kind).EGRESS_ALLOW_PRIVATE).toBe(true);
      }
    },
  );

  test.each([{ ALLOWED_HOSTS: 'app.example' }, { AUTH: 'keys' }])('not by default with %j', (settings) => {
    expect(loadConfig(settings, 'whole').EGRESS_ALLOW_PRIVATE).toBe(false);
    const allowed = { ...settings, EGRESS_ALLOW_PRIVATE: 'true' };
    expect(loadConfig(allowed, 'whole').EGRESS_ALLOW_PRIVATE).toBe(true);
  });

  test.each([
    [{}, true],
    [{ EGRESS_ALLOW_PRIVATE: 'true' }, true],
    [{ EGRESS_ALLOW_PRIVATE: 'false' }, false],
  ])('for a run or a store that carries the permission, in a worker with %j: %s', (environment, honoured) => {
    expect(loadConfig(environment, 'worker')).toMatchObject({
      privateForRuns: honoured,
      privateForStores: honoured ? 'as written' : 'as set',
    });
    // An API uses its own setting.
    expect(loadConfig(environment, 'part').privateForStores).toBe('as set');
  });
});

test('planned calls reach nothing by default that their sentence does not name, and what is listed', () => {
  expect(loadConfig({})).toMatchObject({ PLANNER_ALLOW_HOSTS: [], PLANNER_ALLOW_FILES: [] });
  expect(
    loadConfig({
      PLANNER_ALLOW_HOSTS: 'Good.Example, *.a.example:8443',
      PLANNER_ALLOW_FILES: 'Reports/, a b.txt',
    }),
  ).toMatchObject({
    PLANNER_ALLOW_HOSTS: ['good.example', '*.a.example:8443'],
    PLANNER_ALLOW_FILES: ['Reports/', 'a b.txt'],
  });
});

test('all built-in tools are switched on, or those that are named, or none', () => {
  const all = ['calculator', 'api_call', 'json_reader', 'file_read', 'weather'];
  expect(loadConfig({}).BUILTIN_TOOLS).toEqual(all);
  expect(loadConfig({ BUILTIN_TOOLS: 'weather, Calculator' }).BUILTIN_TOOLS).toEqual([
    'calculator',
    'weather',
  ]);
  expect(loadConfig({ BUILTIN_TOOLS: 'none' }).BUILTIN_TOOLS).toEqual([]);
});

test('a worker polls every queue, or those that are named', () => {
  expect(loadConfig({}).WORKER_QUEUES).toEqual(['workflows', 'io', 'sandbox', 'models']);
  expect(loadConfig({ WORKER_QUEUES: 'Models, io,models' }).WORKER_QUEUES).toEqual(['io', 'models']);
});

test('the slots of the sandbox go by its threads', () => {
  expect(loadConfig({ SANDBOX_THREADS: '3' }).WORKER_MAX_SANDBOX_ACTIVITIES).toBe(75);
  const named = { SANDBOX_THREADS: '3', WORKER_MAX_SANDBOX_ACTIVITIES: '4' };
  expect(loadConfig(named).WORKER_MAX_SANDBOX_ACTIVITIES).toBe(4);
});

test('a named server or profile means that none is run', () => {
  for (const TEMPORAL_ADDRESS of ['a:7233', 'my_server.example', '[::1]:7233'])
    expect(loadConfig({ TEMPORAL_ADDRESS })).toMatchObject({ TEMPORAL_ADDRESS, externalTemporal: true });
  expect(loadConfig({ TEMPORAL_PROFILE: 'prod' }).externalTemporal).toBe(true);
});

test('Neo4j keeps the data where it is named, unless GRAPH_STORE says otherwise', () => {
  const NEO4J_URI = 'neo4j+s://db.example.com';
  expect(loadConfig({}).neo4j).toBeUndefined();
  expect(loadConfig({ NEO4J_URI, GRAPH_STORE: 'embedded' }).neo4j).toBeUndefined();
  expect(loadConfig({ NEO4J_URI, NEO4J_PASSWORD: 'secret' }).neo4j).toEqual({
    uri: NEO4J_URI,
    username: 'neo4j',
    password: 'secret',
  });
  expect(loadConfig({ NEO4J_URI, NEO4J_USERNAME: 'me', NEO4J_DATABASE: 'mine' }).neo4j).toEqual({
    uri: NEO4J_URI,
    username: 'me',
    password: '',
    database: 'mine',
  });
  expect(() => loadConfig({ GRAPH_STORE: 'neo4j' })).toThrow('NEO4J_URI has to say where the server is');
});

test.each([
  ['PORT', 'abc', 'a number'],
  ['PORT', '3000.5', 'a whole number'],
  ['WAIT_LIMIT_MS', '5 s', 'a number'],
  ['MEMORY_SIMILARITY_THRESHOLD', 'low', 'a number'],
])('%s=%s is said to be no number, in plain words', (name, text, what) => {
  expect(() => loadConfig({ [name]: text })).toThrow(
    `The setting ${name} is not usable: it has to be ${what}`,
  );
});

test('an address with a password in it is refused without being shown', () => {
  const refused = () => loadConfig({ NEO4J_URI: 'bolt://neo4j:secret@localhost:7687' });
  expect(refused).toThrow(/^The setting NEO4J_URI is not usable: (?!.*secret)/);
});

test('a bucket of S3 is chosen by its name, unless PAYLOAD_STORE says otherwise', () => {
  const S3_BUCKET = 'values';
  expect(loadConfig({}).s3).toBeUndefined();
  expect(loadConfig({ S3_BUCKET, PAYLOAD_STORE: 'folder' }).s3).toBeUndefined();
  expect(loadConfig({ S3_BUCKET }).s3).toEqual({
    bucket: 'values',
    endpoint: undefined,
    region: undefined,
    credentials: undefined,
    prefix: '',
    forcePathStyle: false,
  });
  expect(
    loadConfig({
      S3_BUCKET,
      S3_ENDPOINT: 'http://localhost:9000',
      S3_PREFIX: '/holdfast//production/',
      S3_ACCESS_KEY_ID: 'me',
      S3_SECRET_ACCESS_KEY: 'secret',
    }).s3,
  ).toEqual({
    bucket: 'values',
    endpoint: 'http://localhost:9000',
    region: 'us-east-1',
    credentials: { accessKeyId: 'me', secretAccessKey: 'secret' },
    prefix: 'holdfast/production/',
    forcePathStyle: true,
  });
  expect(loadConfig({ S3_BUCKET, S3_REGION: 'eu-west-3', S3_FORCE_PATH_STYLE: 'true' }).s3).toMatchObject({
    region: 'eu-west-3',
    forcePathStyle: true,
  });
  expect(() => loadConfig({ PAYLOAD_STORE: 's3' })).toThrow('S3_BUCKET has to be set');
  expect(() => loadConfig({ S3_BUCKET, S3_ACCESS_KEY_ID: 'me' })).toThrow('belong together');
  expect(() => loadConfig({ WEBHOOK_URL: 'https://example.com' })).toThrow('belong together');
  expect(() => loadConfig({ S3_BUCKET, S3_ENDPOINT: 'localhost:9000' })).toThrow('S3_ENDPOINT');
  expect(() => loadConfig({ S3_BUCKET, S3_PREFIX: 'a b' })).toThrow('S3_PREFIX');
});
