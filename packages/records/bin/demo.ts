import { parseArgs } from 'node:util';
import { loadConfig } from '../../../src/settings/config';
import { HoldfastError, isHoldfastError, messageOf } from '../../../src/base/errors';
import { listeningUrl } from '../../../src/base/http/listening-url';
import { fillDemo, demoCalls } from '../domain/demo';

/** Fills the running records API with a small world in which a recall can be traced, and prints calls to try. */
async function main(): Promise<void> {
  const config = loadConfig();
  const host = config.HOST === '0.0.0.0' || config.HOST === '::' ? '127.0.0.1' : config.HOST;
  const url = listeningUrl(host, config.RECORDS_PORT);
  const key = readKey();
  const { created, found } = await fillDemo(url, key);
  console.log(`${created} records created at ${url}, ${found} were there already.\n`);
  for (const { about, command } of demoCalls(url, key !== undefined)) console.log(`# ${about}\n${command}\n`);
}

/**
 * Reads the key of `--key`.
 * @throws HoldfastError `CONFIGURATION` with a message of one line
 */
function readKey(): string | undefined {
  try {
    return parseArgs({ options: { key: { type: 'string' } } }).values.key;
  } catch (error) {
    throw new HoldfastError('CONFIGURATION', messageOf(error));
  }
}

main().catch((error: unknown) => {
  console.error(isHoldfastError(error) ? `demo: ${error.message}` : error);
  process.exitCode = 1;
});
