const { availableParallelism } = require('node:os');

/** Tests that follow each other share processes, which their suite starts. */
const processes = { testEnvironmentOptions: { shareProcesses: true } };
const servers = {
  ...processes,
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

/** Suites of one kind: `npm test -- --selectProjects e2e`. */
function project(displayName, folders, { moduleNameMapper, ...options } = {}) {
  return {
    displayName,
    testEnvironment: '<rootDir>/test/support/environment/leak-checked-environment.ts',
    roots: folders.map((folder) => `<rootDir>/${folder}`),
    testMatch: ['**/*.test.ts'],
    transform: {
      '^.+\\.ts$': [
        '@swc/jest',
        {
          jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
          module: { type: 'commonjs' },
          sourceMaps: 'inline',
        },
      ],
    },
    // From the sources, so that a test of the package's rules needs no build.
    moduleNameMapper: {
      '^@holdfast/plain-english$': '<rootDir>/packages/plain-english/src/index.ts',
      ...moduleNameMapper,
    },
    ...options,
  };
}

/** @type {import('jest').Config} */
module.exports = {
  // A limit for what hangs: only suites of `alone` measure time, and a busy machine may be several times slower than a quiet one.
  testTimeout: 300_000,
  // Half of the time of most suites is waiting. More workers than these need more memory than a machine of many cores may have.
  maxWorkers: Math.min(2 * availableParallelism(), 16),
  testSequencer: '<rootDir>/scripts/checks/suite-order.mjs',
  projects: [
    project(
      'unit',
      ['test/unit', ...['mcp', 'records', 'client', 'console'].map((name) => `packages/${name}/test/unit`)],
      {
        // The sources of the client name each other as compiled files.
        moduleNameMapper: { '^([.]{1,2}/.*)[.]js$': '$1' },
      },
    ),
    project('english', ['packages/plain-english/test', 'test/english']),
    project('contract-sqlite', ['test/contract-sqlite', 'packages/records/test/contract-sqlite'], processes),
    project('contract', ['test/contract', 'packages/records/test/contract'], servers),
    project('tour', ['test/tour', 'packages/records/test/tour'], servers),
    project('e2e', ['test/e2e', 'packages/records/test/e2e'], servers),
    project('faults', ['test/faults', 'packages/records/test/faults'], servers),
    project('replay', ['test/replay'], servers),
    project('cluster', ['test/cluster'], servers),
    // Suites that measure time, so nothing runs beside them.
    project('alone', ['test/alone'], { ...servers, runner: '<rootDir>/scripts/checks/serial-runner.mjs' }),
    // A real model takes all processors.
    project('models', ['test/models'], { ...servers, runner: '<rootDir>/scripts/checks/serial-runner.mjs' }),
  ],
};
