import { rmSync } from 'node:fs';
import { SDK_PATCHES } from '../src/settings/temporal';
import { measureThroughput } from './load';
import { readChildren } from './scale/cpu';
import { ONE_CALL, startService, THREE_STEPS } from './service';
import { median, percentile } from './statistics';
import { CALLERS, measureRound, ratiosOf, type Subject, subject } from './subjects';
import { makeBenchFolder } from './unwinding';

const ROUNDS = 15;
const WARM_UP_CALLS = 800;

/** What a patch of the SDK saves: figures with all patches as shares of those without this one. */
interface Gain {
  readonly patch: string;
  readonly what: string;
  /** CPU time of the service's process for one run. */
  readonly cpu: readonly number[];
  readonly rate: readonly number[];
}

/** Measures what each patch in `temporal/sdk-patches` is worth. All services run at once, and each round measures all of them. */
export async function benchSdkPatches(): Promise<readonly Gain[]> {
  const variants = ['', ...SDK_PATCHES];
  const folders = variants.map(() => makeBenchFolder());
  const subjects: (readonly Subject[])[] = [];
  const stops: (() => Promise<void>)[] = [];
  try {
    for (const [at, left] of variants.entries()) {
      const patches = SDK_PATCHES.filter((patch) => patch !== left).join();
      const service = await startService(folders[at] ?? '', { SDK_PATCHES: patches });
      stops.push(() => service.stop());
      const [pid] = readChildren(service.pid);
      subjects.push([
        subject('one tool', () => service.post('/api/tools/execute', ONE_CALL), pid),
        subject('three steps', () => service.post('/api/workflow/execute-custom', THREE_STEPS), pid),
      ]);
    }
    const all = subjects.flat();
    for (const { call } of all) await measureThroughput(call, CALLERS, WARM_UP_CALLS);
    for (let round = 0; round < ROUNDS; round += 1) await measureRound(all, round);
  } finally {
    await Promise.all(stops.map((stop) => stop()));
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
  const [complete = [], ...lacking] = subjects;
  return SDK_PATCHES.flatMap((patch, of) =>
    complete.map((one, at) => {
      const without = lacking[of]?.[at] ?? one;
      return {
        patch,
        what: one.name,
        cpu: ratiosOf(one.cpu, without.cpu),
        rate: ratiosOf(one.rate, without.rate),
      };
    }),
  );
}

export function printSdkPatches(gains: readonly Gain[]): void {
  const show = (values: readonly number[]): string =>
    `${median(values).toFixed(3)} | ${percentile(values, 0.25).toFixed(3)} to ${percentile(values, 0.75).toFixed(3)}`;
  console.log(`\nWith all patches, as a share of all but one, over ${ROUNDS} rounds\n`);
  console.log(
    '| patch | run | CPU | middle half | runs/s | middle half |\n| --- | --- | ---: | --- | ---: | --- |',
  );
  for (const { patch, what, cpu, rate } of gains)
    console.log(`| ${patch} | ${what} | ${show(cpu)} | ${show(rate)} |`);
}
