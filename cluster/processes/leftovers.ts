import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ProcessIdentity } from '../../temporal/dev-server/process-identity';
import { isRunning } from '../../temporal/dev-server/process-identity';
import { stopProcess } from '../../temporal/dev-server/stop-process';

/** A process as whoever comes later has to know it to end it. */
export interface LeftoverPart extends ProcessIdentity {
  readonly name: string;
  readonly command: readonly string[];
  readonly stopSignal: NodeJS.Signals;
  readonly stopLimitMs: number;
}

/** The processes that run, on record, so that a cluster that is killed leaves none that nobody knows. */
export interface Leftovers {
  add(part: LeftoverPart): void;
  remove(identity: ProcessIdentity): void;
  /** Ends what a killed cluster left, the last started first. @returns the names of those */
  end(): Promise<string[]>;
}

/** @param file holds the record; the folder's claim keeps a second cluster from writing to it */
export function recordLeftovers(file: string): Leftovers {
  let parts = read(file);
  function save(): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, `${JSON.stringify(parts, null, 2)}\n`);
    renameSync(`${file}.new`, file);
  }
  return {
    add(part) {
      parts.push(part);
      save();
    },
    remove({ pid, start }) {
      parts = parts.filter((part) => part.pid !== pid || part.start !== start);
      save();
    },
    async end() {
      const left = parts.filter(isRunning).reverse();
      for (const part of left) await stopProcess(part, part.stopLimitMs, part.stopSignal);
      parts = [];
      save();
      return left.map(({ name }) => name);
    },
  };
}

/** A file that was cut short is as good as none. */
function read(file: string): LeftoverPart[] {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(value) ? (value as LeftoverPart[]) : [];
  } catch {
    return [];
  }
}
