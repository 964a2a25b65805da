/**
 * The rules of which folder may import from which. A broken rule fails `npm test`. Some rules allow type imports,
 * because the compiler removes them.
 */
const { layers, never, npm, only, SOURCE, typesOnly } = require('./scripts/checks/boundary-rules.cjs');

const SHIPPED =
  '^(api|requests|workflows|activities|worker|src|packages/plain-english/src|packages/(mcp|records)(?!/test)|temporal|bin)/';

const KOA = npm('koa', '@koa', 'koa__[^/]+');
const TEMPORAL = npm('@temporalio');

/** Patterns of parts of the records: folders by their names, and files by patterns that end in `$`. */
const recordsParts = (...parts) =>
  parts.map((part) => `^packages/records/${part}${part.endsWith('$') ? '' : '/'}`);

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    only(
      'api',
      ['^requests/', '^src/', '^temporal/', '^workflows/', '^packages/mcp/index[.]'],
      'The API starts runs; it runs no tool and wires no worker.',
    ),
    typesOnly('api', '^workflows/', 'Workflow code belongs into the bundle of the worker alone.'),

    only(
      'requests',
      ['^src/', '^temporal/', '^workflows/'],
      'What a request becomes is prepared by the API, and by a worker for requests that come by the clock.',
    ),
    typesOnly('requests', '^workflows/', 'Workflow code belongs into the bundle of the worker alone.'),
    never('requests', KOA, 'koa', 'Requests may come otherwise than over HTTP.'),

    ...layers('api', [
      ['http'],
      ['runs'],
      [
        'agents',
        'approvals',
        'files',
        'health',
        'hooks',
        'intents',
        'keys',
        'memory',
        'schedules',
        'tools',
        'webhooks',
        'workflows',
      ],
      ['agent', 'memory-chat', 'openai'],
    ]),
    {
      name: 'http-without-its-middleware',
      comment: 'Middleware may import the route builder, but not the reverse; api/app.ts joins the two.',
      severity: 'error',
      from: { path: '^api/http/[^/]+$' },
      to: { path: '^api/http/middleware/' },
    },

    ...layers('workflows', [['steps'], ['custom', 'planner'], ['turns'], ['agent']]),
    only(
      'workflows',
      ['^src/contracts/', '^src/templates/', '^activities/', '^packages/records/workflows/'],
      'Workflow code is deterministic.',
    ),
    typesOnly('workflows', '^activities/', 'An activity is called through its proxy.'),
    {
      name: 'workflows-packages',
      comment: 'Workflows import only packages that are deterministic and can be bundled.',
      severity: 'error',
      from: { path: '^(packages/records/)?workflows/' },
      to: { path: 'node_modules/', pathNot: npm('@temporalio/workflow', '@temporalio/common') },
    },
    {
      name: 'workflows-without-node',
      comment: 'The sandbox of a workflow has no Node.js modules, no clocks and no files.',
      severity: 'error',
      from: { path: '^(packages/records/)?workflows/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'bundled-sources-without-node',
      comment: 'These folders and all that they import are bundled with the workflows.',
      severity: 'error',
      from: { path: '^(src/(contracts|templates)|packages/records/contracts)/' },
      to: { dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    },

    only('activities', ['^src/'], 'Activities stand on the domain, whatever calls them.'),
    never('activities', KOA, 'koa', 'HTTP in is the business of the API.'),
    {
      name: 'activities-temporal-packages',
      comment: 'Only API and worker use the engine, through temporal/.',
      severity: 'error',
      from: { path: '^(activities/|packages/records/activities[.])' },
      to: { path: TEMPORAL, pathNot: npm('@temporalio/activity', '@temporalio/common') },
    },

    only(
      'worker',
      ['^requests/', '^src/', '^temporal/', '^activities/', '^workflows/'],
      'A worker serves no HTTP.',
    ),
    never('worker', KOA, 'koa', 'A worker serves no HTTP.'),

    only('src', [], 'The domain knows nothing of what is built on it.'),
    ...layers('src', [
      ['base'],
      ['contracts'],
      ['egress', 'live-text', 'secrets', 'sandbox', 'supervision', 'templates'],
      ['stores'],
      ['settings'],
      ['files', 'imports'],
      [
        'access',
        'agents',
        'backup',
        'embeddings',
        'hooks',
        'schedules',
        'tools',
        'usage',
        'webhooks',
        'worker-faults',
      ],
      ['llm'],
      ['factories'],
      ['memory', 'workflow-definitions'],
      ['conversation', 'intent'],
      ['rules', 'tenants'],
    ]),
    {
      name: 'adapters-are-joined-by-the-wiring',
      comment:
        'The domain uses the ports in src/stores. src/factories chooses the adapter of each port, and bin/ calls it. A backup copies the files of the embedded store.',
      severity: 'error',
      from: {
        path: SHIPPED,
        pathNot: [
          '^bin/',
          '^src/(stores|factories|backup)/',
          '^packages/records/(stores/|create-record-stores[.])',
        ],
      },
      to: {
        path: [
          '^src/stores/(sqlite|neo4j|pinecone|blobs/s3)/',
          '^src/factories/(?!create-(embedders|providers)[.])',
          '^packages/records/stores/(sqlite|neo4j)/',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'settings-are-read-by-the-wiring',
      comment:
        'Other folders get the settings that they need as arguments, and import at most the type of all settings.',
      severity: 'error',
      from: {
        path: '^(src|packages/records)/',
        pathNot: ['^src/settings/', '^packages/records/(bin|test)/'],
      },
      to: { path: '^src/settings/', dependencyTypesNot: ['type-only'] },
    },
    ...layers('src/contracts', [['http'], ['runs']]),
    ...layers('src/memory', [
      ['vectors'],
      ['nodes'],
      ['facts'],
      ['search', 'insights'],
      ['upkeep'],
      ['import'],
      ['service'],
      ['stores'],
    ]),
    never('src', KOA, 'koa', 'The domain does not know HTTP servers.'),
    never('src', TEMPORAL, 'temporal', 'The domain does not know the engine.'),

    {
      name: 'private-parts-of-the-sdk',
      comment:
        'What the SDK does not promise to keep is used in one folder, with the tests that fail when it changes.',
      severity: 'error',
      from: { path: SHIPPED, pathNot: '^temporal/sdk-patches/' },
      to: { path: 'node_modules/@temporalio/[^/]+/lib/(?!index[.])' },
    },
    only('temporal', ['^src/'], 'What API and worker both need of the engine depends on neither.'),
    never('temporal', KOA, 'koa', 'The engine does not know HTTP servers.'),

    only('packages/mcp/client', ['^src/'], 'Calls of remote servers stand on the domain, as other tools do.'),
    never('packages/mcp/client', KOA, 'koa', 'API and worker both call remote servers.'),
    never('packages/mcp/client', TEMPORAL, 'temporal', 'The engine calls tools, and not the reverse.'),
    only(
      'packages/mcp/(endpoint|routes)',
      ['^packages/mcp/', '^api/', '^requests/', '^src/', '^temporal/'],
      'The endpoint starts the same runs as the routes of the API.',
    ),
    {
      name: 'mcp-by-its-face',
      comment:
        'API and wiring use MCP by its face, and a worker by that of its client; the other files may change.',
      severity: 'error',
      from: { pathNot: ['^packages/mcp/', '^test/'] },
      to: { path: '^packages/mcp/', pathNot: '^packages/mcp/(client/)?index[.]' },
    },

    only('packages/client/src', [], 'Users install the client without the service.'),

    only(
      'packages/console',
      ['^packages/client/src/index[.]ts$'],
      'A program can do whatever the console can: it has the client alone.',
    ),
    {
      name: 'console-is-imported-by-none',
      comment: 'It is bundled for browsers, and the API serves what the build made.',
      severity: 'error',
      from: { pathNot: ['^packages/console/'] },
      to: { path: '^packages/console/' },
    },
    ...layers('packages/console/src', [['api'], ['parts'], ['panes']]),

    {
      name: 'plain-english-imports-only',
      comment: 'The rules of English do not depend on the service that runs them.',
      severity: 'error',
      from: { path: '^packages/plain-english/' },
      to: { path: SOURCE, pathNot: '^packages/plain-english/' },
    },
    {
      name: 'plain-english-in-the-wiring-alone',
      comment:
        'The service runs without the package. It uses the rules through ports, which one file connects to the package.',
      severity: 'error',
      from: { pathNot: ['^bin/plain-english[.]ts$', '^test/', '^packages/plain-english/'] },
      to: { path: ['(^|/)node_modules/@holdfast/', '(^|/)packages/plain-english/'] },
    },
    {
      name: 'plain-english-by-its-face',
      comment: 'Only the face of the package is stable; its other files may change.',
      severity: 'error',
      from: { pathNot: '^packages/plain-english/' },
      to: { path: '^packages/plain-english/', pathNot: '^packages/plain-english/(dist/src|src)/index[.]' },
    },

    ...layers('packages/records', [
      ['contracts'],
      ['stores'],
      ['domain'],
      ['api', 'workflows'],
      ['bin'],
      ['test'],
    ]),
    ...Object.entries({
      contracts: ['^src/(base|contracts)/'],
      stores: ['^src/', ...recordsParts('contracts')],
      domain: ['^src/', ...recordsParts('contracts', 'stores')],
      'activities[.]ts$': ['^src/', ...recordsParts('contracts', 'stores', 'domain')],
      workflows: ['^src/contracts/', '^workflows/steps/', ...recordsParts('contracts', 'activities[.]ts$')],
      api: ['^(src|temporal|api|requests)/', ...recordsParts('contracts', 'stores', 'domain')],
      'create-record-stores[.]ts$': ['^src/', ...recordsParts('stores')],
      'index[.]ts$': recordsParts('domain', 'activities[.]ts$', 'create-record-stores[.]ts$'),
    }).map(([part, allowed]) => ({
      name: `records-${part.replace(/\W.*/, '')}-imports-only`,
      comment:
        'A part of the records imports those below it, and of the service what the same part of it may import.',
      severity: 'error',
      from: { path: recordsParts(part) },
      to: { path: SOURCE, pathNot: [...recordsParts(part), ...allowed] },
    })),
    {
      name: 'records-workflows-types-only',
      comment: 'An activity is called through its proxy, and schemas are not bundled.',
      severity: 'error',
      from: { path: recordsParts('workflows') },
      to: { path: '^packages/records/(?!workflows/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'records-without-koa',
      comment: 'Only its API serves HTTP, so that a worker loads no HTTP server.',
      severity: 'error',
      from: { path: '^packages/records/', pathNot: recordsParts('api', 'bin', 'test') },
      to: { path: KOA },
    },
    {
      name: 'records-without-temporal',
      comment: 'The domain does not know the engine.',
      severity: 'error',
      from: { path: recordsParts('contracts', 'stores', 'domain') },
      to: { path: TEMPORAL },
    },
    {
      name: 'records-in-the-wiring-alone',
      comment: 'The service does not depend on the records: bin/ joins the two, and the bundle of workflows.',
      severity: 'error',
      from: { pathNot: ['^packages/records/', '^(bin|test|bench)/', '^workflows/index[.]ts$'] },
      to: { path: '^packages/records/' },
    },
    {
      name: 'records-by-their-faces',
      comment:
        'Only the faces are stable: for the wiring of workers, for that of the API, and for the bundle.',
      severity: 'error',
      from: { pathNot: ['^packages/records/', '^(test|bench)/'] },
      to: {
        path: '^packages/records/',
        pathNot: recordsParts('index[.]ts$', 'api/start-records[.]ts$', 'workflows/import-records[.]ts$'),
      },
    },

    {
      name: 'bin-is-imported-by-none',
      comment:
        'Entry points only connect parts; code that other folders need belongs elsewhere. The API with the fixtures of ' +
        'the MCP conformance suite is an entry point, which only tests have.',
      severity: 'error',
      from: { pathNot: ['^(packages/records/)?bin/', '^test/mcp/api\\.ts$'] },
      to: { path: '^(packages/records/)?bin/' },
    },
    {
      name: 'build-bundle-is-imported-by-none',
      comment:
        'The script builds the bundle of workflows when it is loaded. Workers only find what it wrote (worker/bundle.ts).',
      severity: 'error',
      from: {},
      to: { path: '^worker/build-bundle[.]ts$' },
    },
    {
      name: 'test-is-imported-by-none',
      comment: 'The shipped code contains no test code.',
      severity: 'error',
      from: { pathNot: ['^(test|bench)/', '^packages/plain-english/bench/', '^packages/[^/]+/test/'] },
      to: { path: ['^test/', '^packages/[^/]+/test/'] },
    },
    {
      name: 'no-circular',
      comment: 'Modules that need each other should be one module, or share a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports is an entry point or dead.',
      severity: 'error',
      from: {
        orphan: true,
        path: SOURCE,
        pathNot: [
          '^(packages/records/)?bin/',
          '^test/',
          '^packages/plain-english/bench/',
          '^packages/[^/]+/test/',
          '^packages/console/src/main[.]tsx$',
          '\\.d\\.ts$',
        ],
      },
      to: {},
    },
    {
      name: 'no-unresolvable',
      comment: 'The import cannot be resolved.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-dev-dependencies',
      comment: 'The shipped code needs no development package at run time.',
      severity: 'error',
      from: { path: SHIPPED },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: 'node_modules/@types/',
      },
    },
    {
      name: 'no-undeclared-packages',
      comment: 'A package that only other packages depend on disappears with them.',
      severity: 'error',
      from: { path: SOURCE },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['node', 'require', 'default', 'types'],
      mainFields: ['main', 'types'],
    },
  },
};
