import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/** Processes whose command line contains `text`, such as Temporal servers by their data folder. */
export function processesNaming(text: string): FoundProcess[] {
  return listProcesses().filter(({ command }) => command.includes(text));
}

/** Other processes whose command line or, on systems with `/proc`, environment contains the text. */
export function processesMentioning(text: string): FoundProcess[] {
  return listProcesses().filter(
    ({ pid, command }) =>
      pid !== process.pid && (command.includes(text) || readOfProcess(pid, 'environ').includes(text)),
  );
}

/** Reads `/proc` if there is one, because each suite lists the processes at its end and starting `ps` takes longer. */
function listProcesses(): FoundProcess[] {
  if (existsSync('/proc/self/cmdline'))
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => ({
        pid: Number(pid),
        command: readOfProcess(pid, 'cmdline').replaceAll('\0', ' ').trimEnd(),
      }))
      .filter(({ command }) => command !== '');
  const table = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8', maxBuffer: 16 * 1_048_576 });
  return table.split('\n').flatMap((line) => {
    const [, pid, command] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined || command === undefined ? [] : [{ pid: Number(pid), command }];
  });
}

/** Empty for a process that has ended or belongs to another user, and on a system without `/proc`. */
function readOfProcess(pid: number | string, file: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Reads the process id that a file has; undefined while the file is missing or still empty. */
export function readPid(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}
