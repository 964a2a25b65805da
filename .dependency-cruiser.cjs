/**
 * The rules of which folder may import from which. A broken rule fails `npm test`. Some rules allow type imports,
 * because the compiler removes them.
 */
const SOURCE = '^(api|workflows|activities|worker|src|packages|temporal|cluster|bin|bench|test)/';
const SHIPPED = '^(api|workflows|activities|worker|src|packages/plain-english/src|temporal|cluster|bin)/';

const npm = (...names) => names.map((name) => `(^|/)node_modules/(@types/)?${name}/`);
const KOA = npm('koa', '@koa', 'koa__[^/]+');
const TEMPORAL = npm('@temporalio');

/** The rule that `folder` imports no source of this project except from itself and `allowed`. */
function only(folder, allowed, comment) {
  return {
    name: `${folder}-imports-only`,
    comment,
    severity: 'error',
    from: { path: `^${folder}/` },
    to: { path: SOURCE, pathNot: [`^${folder}/`, ...allowed] },
  };
}

/** The rule that `folder` imports only types from `path`. */
function typesOnly(folder, path, comment) {
  return {
    name: `${folder}-${path.replace(/\W/g, '')}-types-only`,
    comment,
    severity: 'error',
    from: { path: `^${folder}/` },
    to: { path, dependencyTypesNot: ['type-only'] },
  };
}

function never(folder, path, name, comment) {
  return {
    name: `${folder}-without-${name}`,
    comment,
    severity: 'error',
    from: { path: `^${folder}/` },
    to: { path },
  };
}

/**
 * The rules for layers of folders in `folder`, the lowest first. Of the folders named here each imports only those of
 * earlier rows, so that no two of them need each other.
 */
function layers(folder, rows) {
  const pathOf = (name) => `^${folder}/${name}/`;
  const isWithin = (name, other) => name === other || name.startsWith(`${other}/`);
  return rows.flatMap((row, at) =>
    row.flatMap((name) => {
      const others = rows.slice(at).flat();
      const path = others.filter((other) => !isWithin(name, other) && !isWithin(other, name)).map(pathOf);
      if (path.length === 0) return [];
      return {
        name: `${folder}-${name}-imports-only-below`.replaceAll('/', '-'),
        comment: 'A folder imports those of earlier rows, and no other folder of its row.',
        severity: 'error',
        from: { path: pathOf(name) },
        to: { path },
      };
    }),
  );
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    only(
      'api',
      ['^src/', '^temporal/', '^workflows/'],
      'The API starts runs; it runs no tool and wires no worker.',
    ),
    typesOnly('api', '^workflows/', 'Workflow code belongs into the bundle of the worker alone.'),

    ...layers('api', [
      ['http'],
      ['runs'],
      ['approvals', 'health', 'intents', 'keys', 'mcp-servers', 'memory', 'records', 'tools', 'workflows'],
      ['agent', 'memory-chat'],
      ['mcp'],
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
      ['^src/contracts/', '^src/templates/', '^activities/'],
      'Workflow code is deterministic.',
    ),
    typesOnly('workflows', '^activities/', 'An activity is called through its proxy.'),
    {
      name: 'workflows-packages',
      comment: 'Workflows import only packages that are deterministic and can be bundled.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: 'node_modules/', pathNot: npm('@temporalio/workflow', '@temporalio/common') },
    },
    {
      name: 'workflows-without-node',
      comment: 'The sandbox of a workflow has no Node.js modules, no clocks and no files.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'bundled-sources-without-node',
      comment: 'These folders and all that they import are bundled with the workflows.',
      severity: 'error',
      from: { path: '^src/(contracts|templates)/' },
      to: { dependencyTypes: ['core'], dependencyTypesNot: ['type-only'] },
    },

    only('activities', ['^src/'], 'Activities stand on the domain, whatever calls them.'),
    never('activities', KOA, 'koa', 'HTTP in is the business of the API.'),
    {
      name: 'activities-temporal-packages',
      comment: 'Only API and worker use the engine, through temporal/.',
      severity: 'error',
      from: { path: '^activities/' },
      to: { path: TEMPORAL, pathNot: npm('@temporalio/activity', '@temporalio/common') },
    },

    only('worker', ['^src/', '^temporal/', '^activities/', '^workflows/'], 'A worker serves no HTTP.'),
    never('worker', KOA, 'koa', 'A worker serves no HTTP.'),

    only('src', [], 'The domain knows nothing of what is built on it.'),
    ...layers('src', [
      ['base'],
      ['contracts'],
      ['egress', 'secrets', 'sandbox', 'supervision', 'templates'],
      ['stores'],
      ['settings'],
      ['imports'],
      ['access', 'backup', 'embeddings', 'records', 'tools', 'worker-faults'],
      ['llm', 'mcp'],
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
        pathNot: ['^bin/', '^cluster/', '^src/(stores|factories|backup)/'],
      },
      to: {
        path: [
          '^src/stores/(sqlite|neo4j|pinecone|blobs/s3)/',
          '^src/factories/(?!create-(embedders|providers)[.])',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'settings-are-read-by-the-wiring',
      comment:
        'Other folders get the settings that they need as arguments, and import at most the type of all settings.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/settings/' },
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

    only(
      'cluster',
      ['^src/', '^temporal/'],
      'It runs the parts of the service as processes, by their entries.',
    ),
    never('cluster', KOA, 'koa', 'What is in front of the APIs passes bytes on.'),

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
      from: { pathNot: ['^bin/plain-english[.]ts$', '^test/', '^packages/'] },
      to: { path: ['^packages/', '(^|/)node_modules/@holdfast/', '(^|/)packages/plain-english/'] },
    },
    {
      name: 'plain-english-by-its-face',
      comment: 'Only the face of the package is stable; its other files may change.',
      severity: 'error',
      from: { pathNot: '^packages/plain-english/' },
      to: { path: '^packages/plain-english/', pathNot: '^packages/plain-english/(dist/src|src)/index[.]' },
    },

    {
      name: 'bin-is-imported-by-none',
      comment:
        'Entry points only connect parts; code that other folders need belongs elsewhere. The API with the fixtures of ' +
        'the MCP conformance suite is an entry point, which only tests have.',
      severity: 'error',
      from: { pathNot: ['^bin/', '^test/mcp/api\\.ts$'] },
      to: { path: '^bin/' },
    },
    {
      name: 'test-is-imported-by-none',
      comment: 'The shipped code contains no test code.',
      severity: 'error',
      from: { pathNot: ['^(test|bench)/', '^packages/plain-english/(bench|test)/'] },
      to: { path: ['^test/', '^packages/plain-english/test/'] },
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
        pathNot: ['^bin/', '^test/', '^packages/plain-english/(bench|test)/', '\\.d\\.ts$'],
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
