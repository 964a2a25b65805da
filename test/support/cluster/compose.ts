import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { composeFile, type ComposeService, fillVariables, PROJECT_ROOT } from '../deployment';

type Environment = Readonly<Record<string, string>>;

/** Variables of docker-compose.yml. One machine runs all history shards here, so they are few. */
const VARIABLES: Environment = {
  POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
  NEO4J_PASSWORD: randomBytes(24).toString('hex'),
  SECRETS_KEY: randomBytes(32).toString('hex'),
  AUTH: 'off',
  TEMPORAL_HISTORY_SHARDS: '16',
  TEMPORAL_RETENTION_DAYS: '1',
};

const { services } = composeFile();

function serviceOf(name: string): ComposeService {
  const service = services[name];
  if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
}

/** Reads the environment of a service. @param own replaces addresses, ports and folders of containers */
export function environmentOf(name: string, own: Environment = {}): Record<string, string> {
  const filled = Object.entries(serviceOf(name).environment ?? {}).map(([key, value]) => [
    key,
    fillVariables(value ?? '', VARIABLES),
  ]);
  return { ...Object.fromEntries(filled), ...own };
}

/**
 * Runs the script of a service that ends when its work is done.
 * @param programs the folder of the programs that its image contains
 * @throws Error with the output of the script, if it fails
 */
export async function runJob(name: string, own: Environment, programs: string): Promise<void> {
  const { entrypoint = [], volumes = [] } = serviceOf(name);
  const [source = '', target = ''] = volumes[0]?.split(':') ?? [];
  const [shell = '', ...args] = entrypoint.map((word) =>
    fillVariables(word.replace(`${target}/`, `${resolve(PROJECT_ROOT, source)}/`), VARIABLES),
  );
  const env = { ...environmentOf(name, own), PATH: `${programs}:/usr/bin:/bin`, HOME: process.env['HOME'] };
  await promisify(execFile)(shell, args, { env });
}
