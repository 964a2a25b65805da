import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { clusterFolder } from '../cluster/files/folder';
import { createKeyStore } from '../src/access/key-store';
import { runKeyCommand } from '../src/access/key-commands';
import { HoldfastError } from '../src/base/errors';
import { blameSetting, createStore, storePlace } from './foundation';
import { type Part, runCommand } from './process';
import { retryWhileAway } from './startup-wait';

/** Manages the keys of callers in the store of the settings, also while the service runs. */
runCommand('keys', async (part) => {
  const { config, release } = part;
  refuseOwnStoreOfCluster(config);
  const { DATA_DIR } = config;
  await blameSetting(`DATA_DIR (${DATA_DIR})`, () => mkdir(DATA_DIR, { recursive: true, mode: 0o700 }));
  const documents = createStore(config);
  release(() => documents.close());
  await retryWhileAway(part, storePlace(config), () => documents.ping());
  const output = await runKeyCommand(createKeyStore({ documents }), process.argv.slice(2));
  process.stdout.write(`${output}\n`);
});

/**
 * Refuses to make keys in a file that a cluster on the data folder does not read, because they would be refused there.
 * @throws HoldfastError `CONFIGURATION`
 */
function refuseOwnStoreOfCluster({ DATA_DIR, GRAPH_STORE, neo4j }: Part['config']): void {
  const folder = clusterFolder({ DATA_DIR });
  if (neo4j !== undefined || GRAPH_STORE === 'embedded' || !existsSync(folder)) return;
  throw new HoldfastError(
    'CONFIGURATION',
    `${folder} has the data of a cluster, whose keys are in its Neo4j: name it by NEO4J_URI and NEO4J_PASSWORD as ` +
      'docs/operators/cluster.md says, or set GRAPH_STORE=embedded for the keys of npm start',
  );
}
