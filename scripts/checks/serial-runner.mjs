import TestRunner from 'jest-runner';

/**
 * Runs suites one after another. Jest runs the suites of one runner after those of another, so a project with this
 * runner has the machine for itself.
 */
export default class SerialRunner extends TestRunner {
  isSerial = true;
}
