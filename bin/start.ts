import { join } from 'node:path';
import { keepRunning } from './keep-running';
import { readIdentity } from '../temporal/dev-server/process-identity';

// It loads neither the settings nor the service, so that it takes little memory and has nothing to die of.
keepRunning({
  name: 'holdfast',
  entry: join(__dirname, 'service.js'),
  startOf: (pid) => readIdentity(pid).start,
});
