import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HoldfastError, messageOf } from '../base/errors';
import { KEY_BYTES } from './secret-box';

export interface KeySource {
  /** The setting, where it is given: 64 hexadecimal digits, or base64 of 32 bytes. */
  readonly setting?: string | undefined;
  /** Where a key is kept that the service made for itself. */
  readonly file: string;
}

/**
 * The key of this deployment: the configured one, else the one in the file, else a new one that is put there, readable by
 * its owner alone. Of several processes that start at once all get the same.
 * @throws HoldfastError `CONFIGURATION` for a key that is none, and where the file cannot be used
 */
export async function loadKey({ setting, file }: KeySource): Promise<Buffer> {
  if (setting !== undefined) return parse(setting, 'The setting SECRETS_KEY');
  try {
    return parse((await readIfThere(file)) ?? (await createOnce(file)), `The key in ${file}`);
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    throw new HoldfastError('CONFIGURATION', `The key file ${file} cannot be used: ${messageOf(error)}`);
  }
}

function parse(text: string, name: string): Buffer {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64');
  if (key.length === KEY_BYTES) return key;
  throw new HoldfastError(
    'CONFIGURATION',
    `${name} is not usable: it has to be 64 hexadecimal digits, or base64 of ${KEY_BYTES} bytes`,
  );
}

async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
}

/** Written whole under another name and then linked: nobody ever reads half a key, and the first one stays. */
async function createOnce(file: string): Promise<string> {
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
