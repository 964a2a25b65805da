import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, type Server } from '../server';
import { environmentOf } from './compose';

/** Describes Temporal's UI, which does not run yet. @param folder an empty folder @param address host:port of the server */
export function createTemporalUi(folder: string, command: string, port: number, address: string): Server {
  const { TEMPORAL_ADDRESS, TEMPORAL_DEFAULT_NAMESPACE } = environmentOf('temporal-ui', {
    TEMPORAL_ADDRESS: address,
  });
  const config = {
    temporalGrpcAddress: TEMPORAL_ADDRESS,
    host: '127.0.0.1',
    port,
    enableUi: true,
    defaultNamespace: TEMPORAL_DEFAULT_NAMESPACE,
    // Otherwise the page would ask a server on the internet for new versions.
    notifyOnNewVersion: false,
  };
  mkdirSync(join(folder, 'config'));
  writeFileSync(join(folder, 'config', 'compose.yaml'), JSON.stringify(config));
  return createServer({
    name: 'temporal-ui',
    command,
    args: ['--root', folder, '--config', 'config', '--env', 'compose', 'start'],
    options: { env: { PATH: '/usr/bin:/bin' } },
    isReady: async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok,
  });
}
