import { join } from 'node:path';
import type { Leftovers } from '../processes/leftovers';
import type { RunningPart } from '../processes/spawn-part';
import { spawnPart } from '../processes/spawn-part';
import { waitForPart } from '../processes/wait-for-part';
import type { ServiceLine, ServiceLog } from './service-log';

/** What a service of each kind logs when it does its work. */
const UP = {
  api: 'the API is listening',
  records: 'the records API is listening',
  worker: 'the worker is polling',
} as const;

export type ServiceKind = keyof typeof UP;

/** The store, the settings and the engine's connection come before a service is up. */
const UP_LIMIT_MS = 90_000;
/** Beyond the grace time, what the service's own shutdown may take at most. */
const STOP_SLACK_MS = 20_000;

export interface ServiceOptions {
  readonly kind: ServiceKind;
  /** As in "api-1". */
  readonly name: string;
  /** Everything that it is to know of this process's environment. */
  readonly environment: NodeJS.ProcessEnv;
  readonly graceMs: number;
  readonly log: ServiceLog;
  readonly leftovers: Leftovers;
  /** Told the fields of the line that says that it is up. */
  readonly onUp?: (line: ServiceLine) => void;
}

/** @throws HoldfastError `ENGINE_UNAVAILABLE` with the last line that it wrote, when it does not come up */
export async function startService(options: ServiceOptions, signal?: AbortSignal): Promise<RunningPart> {
  const { kind, name, environment, graceMs, log, leftovers, onUp } = options;
  let up: ServiceLine | undefined;
  let last = 'it wrote nothing';
  const part = await spawnPart({
    name,
    command: process.execPath,
    args: ['--enable-source-maps', join(__dirname, '..', '..', 'bin', `${kind}.js`)],
    env: environment,
    output(line) {
      const fields = log.write(name, line);
      last = fields?.msg ?? line;
      if (fields?.msg === UP[kind]) up = fields;
      return last;
    },
    stopLimitMs: graceMs + STOP_SLACK_MS,
    leftovers,
  });
  const look = (): Promise<ServiceLine> =>
    up === undefined ? Promise.reject(new Error(last)) : Promise.resolve(up);
  await waitForPart(part, { what: name, limitMs: UP_LIMIT_MS, signal, look });
  if (up !== undefined) onUp?.(up);
  return part;
}
