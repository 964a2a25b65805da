import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** What /proc counts in: USER_HZ, 100 a second on Linux whatever the kernel's own clock. */
const MS_A_TICK = 10;

/** CPU time that processes and all that they started have had, milliseconds; 0 for one that is gone. */
export function cpuOf(roots: readonly number[]): number {
  return sumOfTrees(roots, ({ ms }) => ms);
}

/** Resident memory of processes and all that they started, bytes; 0 for one that is gone. */
export function residentBytesOf(roots: readonly number[]): number {
  return sumOfTrees(roots, ({ pid }) => residentBytes(pid));
}

/** Each process counts once, also where one of the roots started another. */
function sumOfTrees(roots: readonly number[], figure: (process: ProcessTime) => number): number {
  const processes = allProcesses();
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
  /** Of all its threads, and of children that ended. */
  readonly ms: number;
  readonly children: number[];
}

function allProcesses(): Map<number, ProcessTime> {
  const parents = new Map<number, number>();
  const processes = new Map<number, ProcessTime>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = statOf(name);
    if (fields === undefined) continue;
    parents.set(Number(name), Number(fields[1]));
    // utime, stime and the same of ended children.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    processes.set(Number(name), { pid: Number(name), ms: ticks * MS_A_TICK, children: [] });
  }
  for (const [pid, parent] of parents) processes.get(parent)?.children.push(pid);
  return processes;
}

/** From the state on: the name before it stands in parentheses and may hold anything. */
function statOf(pid: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** What a core has done since the machine started, ticks. */
export interface CoreTime {
  readonly busy: number;
  readonly all: number;
}

/** One entry a core, whoever used it. */
export function coreTimes(): CoreTime[] {
  const lines = readFileSync('/proc/stat', 'utf8').match(/^cpu\d+ .*$/gm) ?? [];
  return lines.map((line) => {
    // user nice system idle iowait irq softirq steal; guest times are in user already.
    const ticks = line.split(/\s+/).slice(1, 9).map(Number);
    const all = ticks.reduce((sum, value) => sum + value, 0);
    return { busy: all - (ticks[3] ?? 0) - (ticks[4] ?? 0), all };
  });
}

/** Share of each core that was busy between two looks, 0 to 1. */
export function coreShares(before: readonly CoreTime[], after: readonly CoreTime[]): number[] {
  return after.map(({ busy, all }, core) => {
    const first = before[core] ?? { busy: 0, all: 0 };
    return (busy - first.busy) / Math.max(1, all - first.all);
  });
}

/** Resident memory of one process, bytes. */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1_024;
}

/** Whether processes can be bound to cores here. */
export function canPin(): boolean {
  try {
    execFileSync('taskset', ['--version'], { stdio: 'ignore' });
    return coreTimes().length > 1;
  } catch {
    return false;
  }
}

/** Binds all threads of this process to some of the cores; what it starts afterwards inherits that. */
export function pinThisProcess(cores: string): void {
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(process.pid)], { stdio: 'ignore' });
}
