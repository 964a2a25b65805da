import { type PartProcess, spawnPart } from '../process';
import type { Server } from '../server';
import { environmentOf } from './compose';

/** The log line of each service that says that it is up. */
const UP = {
  api: 'the API is listening',
  records: 'the records API is listening',
  worker: 'the worker is polling',
} as const;

/** A service of docker-compose.yml that this project builds. */
export interface Service extends Server {
  /** The present process. */
  process(): PartProcess;
}

/** Describes a service that does not run yet. @param own replaces settings of docker-compose.yml, and adds others */
export function createService(
  kind: keyof typeof UP,
  name: string,
  own: Readonly<Record<string, string>>,
): Service {
  let started: PartProcess | undefined;
  const present = (): PartProcess => {
    if (started === undefined) throw new Error(`${name} has not been started`);
    return started;
  };
  return {
    name,
    get pid() {
      return present().pid;
    },
    process: present,
    async start() {
      started = spawnPart(kind, environmentOf(kind, own));
      await started.line(UP[kind]);
    },
    async end(signal = 'SIGTERM') {
      if (present().running) present().signal(signal);
      await present().exited;
    },
  };
}
