import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The unit of times in /proc, ms. It is USER_HZ, 100 in a second on Linux, independent of the kernel's own clock. */
const MS_A_TICK = 10;

/** Reads the CPU time of processes and of all their descendants, ms; 0 for a process that is gone. */
export function readCpuMs(roots: readonly number[]): number {
  return sumOfTrees(roots, ({ ms }) => ms);
}

/** Reads the CPU time of one process without its descendants, ms; 0 for a process that is gone. */
export function readOwnCpuMs(pid: number): number {
  const fields = readStat(String(pid)) ?? [];
  return fields.slice(11, 13).reduce((sum, ticks) => sum + Number(ticks) * MS_A_TICK, 0);
}

/** Reads the pids of the children of a process; none for a process that is gone. */
export function readChildren(pid: number): number[] {
  return readProcesses().get(pid)?.children ?? [];
}

/** Reads the resident memory of processes and of all their descendants, bytes; 0 for a process that is gone. */
export function readResidentBytesOfTrees(roots: readonly number[]): number {
  return sumOfTrees(roots, ({ pid }) => readResidentBytes(pid));
}

/** Adds up a figure over process trees. Each process counts once, even if one of the roots has started another. */
function sumOfTrees(roots: readonly number[], figure: (process: ProcessTime) => number): number {
  const processes = readProcesses();
  const counted = new Set<number>();
  const visit = (pid: number): number => {
    const found = processes.get(pid);
    if (found === undefined || counted.has(pid)) return 0;
    counted.add(pid);
    return found.children.reduce((sum, child) => sum + visit(child), figure(found));
  };
  return roots.reduce((sum, pid) => sum + visit(pid), 0);
}

interface ProcessTime {
  readonly pid: number;
  /** CPU time of all its threads, and of its children that have ended, ms. */
  readonly ms: number;
  readonly children: number[];
}

function readProcesses(): Map<number, ProcessTime> {
  const parents = new Map<number, number>();
  const processes = new Map<number, ProcessTime>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = readStat(name);
    if (fields === undefined) continue;
    parents.set(Number(name), Number(fields[1]));
    // These fields are utime, stime, and the same of children that have ended.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    processes.set(Number(name), { pid: Number(name), ms: ticks * MS_A_TICK, children: [] });
  }
  for (const [pid, parent] of parents) processes.get(parent)?.children.push(pid);
  return processes;
}

/** Reads the fields from the state on. The name before it is in parentheses and may contain any character. */
function readStat(pid: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** The times of a core since the machine started, ticks. */
export interface CoreTime {
  readonly busy: number;
  readonly all: number;
}

/** Reads the times of each core, for all programs of the machine. */
export function readCoreTimes(): CoreTime[] {
  const lines = readFileSync('/proc/stat', 'utf8').match(/^cpu\d+ .*$/gm) ?? [];
  return lines.map((line) => {
    // The fields are user, nice, system, idle, iowait, irq, softirq and steal. Guest times are part of user.
    const ticks = line.split(/\s+/).slice(1, 9).map(Number);
    const all = ticks.reduce((sum, value) => sum + value, 0);
    return { busy: all - (ticks[3] ?? 0) - (ticks[4] ?? 0), all };
  });
}

/** The share of each core that was busy between two readings, 0 to 1. */
export function coreShares(before: readonly CoreTime[], after: readonly CoreTime[]): number[] {
  return after.map(({ busy, all }, core) => {
    const first = before[core] ?? { busy: 0, all: 0 };
    return (busy - first.busy) / Math.max(1, all - first.all);
  });
}

/** Reads the resident memory of one process, bytes. */
export function readResidentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1_024;
}

/** Whether processes can be pinned to cores on this machine. */
export function canPin(): boolean {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return readCoreTimes().length > 1;
  } catch {
    return false;
  }
}

/** Pins all threads of this process to some of the cores. Processes that it starts later inherit that. */
export function pinThisProcess(cores: string): void {
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(process.pid)], { stdio: 'ignore' });
}
