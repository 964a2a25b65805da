import { join } from 'node:path';
import type { Leftovers } from '../processes/leftovers';
import { type RunningPart, spawnPart } from '../processes/spawn-part';
import { waitForPart } from '../processes/wait-for-part';
import type { ServiceLine, ServiceLog } from './service-log';

/** The log line of each kind of service that says that it is up. */
const UP = {
  api: 'the API is listening',
  records: 'the records API is listening',
  worker: 'the worker is polling',
} as const;

export type ServiceKind = keyof typeof UP;

/** Limits the start of a service, which reads settings, opens stores and connects to the engine. */
const UP_LIMIT_MS = 90_000;
/** How long the shutdown of a service may take beyond the grace time, ms. */
const STOP_SLACK_MS = 20_000;

export interface ServiceOptions {
  readonly kind: ServiceKind;
  /** The name of the process, such as "api-1". */
  readonly name: string;
  /** The whole environment of the service. */
  readonly environment: NodeJS.ProcessEnv;
  readonly graceMs: number;
  readonly log: ServiceLog;
  readonly leftovers: Leftovers;
  /** Called with the fields of the log line that says that the service is up. */
  readonly onUp?: (line: ServiceLine) => void;
}

/**
 * Starts a service.
 * @throws HoldfastError `ENGINE_UNAVAILABLE` with the last line of its output, if it does not come up
 */
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
  const check = (): Promise<ServiceLine> =>
    up === undefined ? Promise.reject(new Error(last)) : Promise.resolve(up);
  await waitForPart(part, { what: name, limitMs: UP_LIMIT_MS, signal, check });
  if (up !== undefined) onUp?.(up);
  return part;
}
