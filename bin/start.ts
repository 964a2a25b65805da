import { join } from 'node:path';
import { keepRunning } from './keep-running';
import { readIdentity } from '../temporal/dev-server/stop-process';

// The parent loads neither the settings nor the service, so that it needs little memory and has no code that could
// end it.
keepRunning({
  name: 'holdfast',
  entry: join(__dirname, 'service.js'),
  // With V8's default of 16 MB, more objects of runs in progress outlive two collections and are moved to the old space, which
  // costs a tenth of the process's CPU under load (docs/operators/performance.md).
  flags: ['--max-semi-space-size=32'],
  readStart: (pid) => readIdentity(pid).start,
});
