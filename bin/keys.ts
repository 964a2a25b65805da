import { mkdir } from 'node:fs/promises';
import { createKeyStore } from '../src/access/key-store';
import { runKeyCommand } from '../src/access/key-commands';
import { blameSetting, createStore, storePlace } from './foundation';
import { runCommand } from './process';
import { retryWhileAway } from './startup-wait';

/** Manages the keys of callers in the store of the settings, also while the service runs. */
runCommand('keys', async (part) => {
  const { config, release } = part;
  const { DATA_DIR } = config;
  await blameSetting(`DATA_DIR (${DATA_DIR})`, () => mkdir(DATA_DIR, { recursive: true, mode: 0o700 }));
  const documents = createStore(config);
  release(() => documents.close());
  await retryWhileAway(part, storePlace(config), () => documents.ping());
  const output = await runKeyCommand(createKeyStore({ documents }), process.argv.slice(2));
  process.stdout.write(`${output}\n`);
});
