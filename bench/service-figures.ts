import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCpuMs, readResidentBytesOfTrees } from './scale/cpu';
import { readDatabaseBytes, readFolderBytes } from './sizing/disk';

/** What a service, run as `npm start` runs it, has used until now. */
export interface ServiceFigures {
  /** CPU time of the service's processes and of the Temporal server, ms. */
  readonly serviceCpu: number;
  readonly serverCpu: number;
  /** Bytes in use on disk: the server's database, the databases of the service, values stored by reference. */
  readonly history: number;
  readonly stores: number;
  readonly values: number;
}

/** The mean cost of one run, in the units of `ServiceFigures`. */
export type RunCost = ServiceFigures;

const STORES = ['holdfast.db', 'memory.db', 'records.db'];

/** Reads the figures of the service with this pid on this data folder. */
export function readServiceFigures(pid: number, dataDir: string): ServiceFigures {
  const serverPid = readServerPid(dataDir);
  const serverCpu = readCpuMs([serverPid]);
  return {
    serviceCpu: readCpuMs([pid, serverPid]) - serverCpu,
    serverCpu,
    history: readHistoryBytes(dataDir),
    stores: STORES.reduce((sum, file) => sum + readDatabaseBytes(join(dataDir, file)), 0),
    values: readFolderBytes(join(dataDir, 'payloads')),
  };
}

/** Reads how many bytes of the server's database are in use. */
export function readHistoryBytes(dataDir: string): number {
  return readDatabaseBytes(join(dataDir, 'temporal.db'));
}

/** Reads the resident memory of the service's processes and of the Temporal server, bytes. */
export function readServiceMemory(
  pid: number,
  dataDir: string,
): { readonly service: number; readonly server: number } {
  const serverPid = readServerPid(dataDir);
  const server = readResidentBytesOfTrees([serverPid]);
  return { service: readResidentBytesOfTrees([pid, serverPid]) - server, server };
}

/** Reads the pid of the Temporal server of a data folder from the record that its parent keeps there. */
export function readServerPid(dataDir: string): number {
  const text = readFileSync(join(dataDir, 'temporal.pid'), 'utf8');
  return (JSON.parse(text) as { server: { pid: number } }).server.pid;
}

/** Divides what was used between two readings by the number of runs between them. */
export function costOfEach(before: ServiceFigures, after: ServiceFigures, runs: number): RunCost {
  return {
    serviceCpu: (after.serviceCpu - before.serviceCpu) / runs,
    serverCpu: (after.serverCpu - before.serverCpu) / runs,
    history: (after.history - before.history) / runs,
    stores: (after.stores - before.stores) / runs,
    values: (after.values - before.values) / runs,
  };
}
