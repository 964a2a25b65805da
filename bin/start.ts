import { join } from 'node:path';
import { keepRunning } from './keep-running';
import { readIdentity } from '../temporal/dev-server/process-identity';

// The parent loads neither the settings nor the service, so that it needs little memory and has no code that could
// end it.
keepRunning({
  name: 'holdfast',
  entry: join(__dirname, 'service.js'),
  readStart: (pid) => readIdentity(pid).start,
});
