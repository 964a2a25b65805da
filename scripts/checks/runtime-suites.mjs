/** The projects of jest of which other releases of Node.js run suites. */
export const RUNTIME_PROJECTS = ['unit', 'tour', 'e2e'];

/**
 * The suites that other releases of Node.js run: folders, and files. Those of `tour` and `e2e` start the service and call
 * each area of it once. Most differences between releases are in native modules, in streams, in the HTTP server and in
 * signals, which these use.
 */
export const RUNTIME_SUITES = [
  'test/unit/',
  'test/e2e/life-cycle.test.ts',
  'test/tour/tools-execute.test.ts',
  'test/e2e/workflow-custom.test.ts',
  'test/tour/agent.test.ts',
  'test/tour/memory-episodic.test.ts',
  'test/tour/memory-semantic.test.ts',
  'test/tour/records.test.ts',
];
