import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRunning, type ProcessIdentity } from '../../temporal/dev-server/process-identity';
import { stopProcess } from '../../temporal/dev-server/stop-process';

/** What a later start has to know of a process to end it. */
export interface LeftoverPart extends ProcessIdentity {
  readonly name: string;
  readonly command: readonly string[];
  readonly stopSignal: NodeJS.Signals;
  readonly stopLimitMs: number;
}

/** Records the running processes in a file, so that the next start can end those that a killed cluster has left. */
export interface Leftovers {
  add(part: LeftoverPart): void;
  remove(identity: ProcessIdentity): void;
  /** Ends the processes that a killed cluster has left, the last started first. @returns their names */
  end(): Promise<string[]>;
}

/** @param file the file of the record. The claim on its folder keeps a second cluster from writing to it */
export function recordLeftovers(file: string): Leftovers {
  let parts = readParts(file);
  function save(): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, `${JSON.stringify(parts, null, 2)}\n`);
    renameSync(`${file}.new`, file);
  }
  /** On a full disk the parts continue, and the record is as it was until the next change. */
  function saveIfPossible(): void {
    try {
      save();
    } catch {
      // Only the next start after a kill needs the record, and it ends no process that has another start time.
    }
  }
  return {
    add(part) {
      parts.push(part);
      saveIfPossible();
    },
    remove({ pid, start }) {
      parts = parts.filter((part) => part.pid !== pid || part.start !== start);
      saveIfPossible();
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

/** Reads the record. A truncated file counts as empty. */
function readParts(file: string): LeftoverPart[] {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(value) ? (value as LeftoverPart[]) : [];
  } catch {
    return [];
  }
}
