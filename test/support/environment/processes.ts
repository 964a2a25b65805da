import { readFileSync, readdirSync } from 'node:fs';

export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * Other processes that have the text in their command line or in their environment. None where the system has no
 * `/proc`, so that suites still run there, without this check.
 */
export function processesWith(text: string): FoundProcess[] {
  return pids().flatMap((pid) => {
    const command = read(pid, 'cmdline').replaceAll('\0', ' ').trim();
    const isIt = pid !== process.pid && (command.includes(text) || read(pid, 'environ').includes(text));
    return isIt ? [{ pid, command }] : [];
  });
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Empty for a process that has ended meanwhile or that belongs to another user. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
