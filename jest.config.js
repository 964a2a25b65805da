/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test', '<rootDir>/packages/plain-english/test'],
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
  },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  // Two cores are the smallest machine supported; more workers than that only make waits longer.
  maxWorkers: 2,
  testTimeout: 30_000,
};
