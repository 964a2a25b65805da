import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HoldfastError, messageOf } from '../base/errors';
import { KEY_BYTES } from './secret-box';

export interface KeySource {
  /** The value of the setting, if it is set: 64 hexadecimal digits, or base64 of 32 bytes. */
  readonly setting?: string | undefined;
  /** The file of the key that the service creates if the setting is absent. */
  readonly file: string;
}

/**
 * Loads the key of this deployment: the configured one, otherwise the one in the file. If the file does not exist, it creates
 * a key there that only its owner can read. All processes that start at once get the same key.
 * @throws HoldfastError `CONFIGURATION` for an invalid key, and if the file cannot be used
 */
export async function loadKey({ setting, file }: KeySource): Promise<Buffer> {
  if (setting !== undefined) return parseKey(setting, 'The setting SECRETS_KEY');
  try {
    return parseKey((await readIfPresent(file)) ?? (await createKeyFile(file)), `The key in ${file}`);
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    throw new HoldfastError('CONFIGURATION', `The key file ${file} cannot be used: ${messageOf(error)}`);
  }
}

function parseKey(text: string, name: string): Buffer {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64');
  if (key.length === KEY_BYTES) return key;
  throw new HoldfastError(
    'CONFIGURATION',
    `${name} is not usable: it has to be 64 hexadecimal digits, or base64 of ${KEY_BYTES} bytes`,
  );
}

async function readIfPresent(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
}

/** Creates the key file. It is written completely under another name and then linked, so no process reads half a key. */
async function createKeyFile(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.${randomUUID()}.tmp`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(`${randomBytes(KEY_BYTES).toString('hex')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(temporary, file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(temporary, { force: true });
  }
  return readFile(file, 'utf8');
}
