import type { BenchService } from '../service';
import { median, percentile } from '../statistics';
import { judge, type Life, type Verdict } from './life';
import { benchModel, type ModelReport } from './model';
import { readLives, score, type Score } from './score';
import { tellLife, withService, type LifeRun } from './tell';

const HALVES = ['development', 'held-out'] as const;
type Half = (typeof HALVES)[number];

/** Turns of the lives of one kind, milliseconds, with facts and without. */
export interface TurnTimes {
  readonly kind: string;
  readonly on: number;
  readonly off: number;
}

export interface HalfReport {
  readonly half: Half;
  readonly scores: readonly Score[];
  /** All lives of the half without facts: what was said is recalled, and not read. */
  readonly without: Score | undefined;
  /** The medians of each kind, and of all. */
  readonly times: readonly TurnTimes[];
}

export interface FactsReport {
  readonly halves: readonly HalfReport[];
  /** A turn with facts over HTTP, milliseconds. */
  readonly turn: { readonly p50: number; readonly p95: number };
  readonly model: ModelReport;
}

interface Lived {
  readonly life: Life;
  readonly on: LifeRun;
  readonly off: LifeRun;
}

/**
 * Tells the scripted lives to the agent of two services, with facts by rules and without facts, and judges what it answers at the end
 * of each. The lives alternate between the two, so that their times are those of the same minutes.
 * @param words with `--development` the half that is held out is left out
 */
export async function benchFacts(words: readonly string[]): Promise<FactsReport> {
  const halves: HalfReport[] = [];
  const times: number[] = [];
  await withService({}, (on) =>
    withService({ MEMORY_FACTS: 'off' }, async (off) => {
      for (const half of words.includes('--development') ? HALVES.slice(0, 1) : HALVES) {
        const lived: Lived[] = [];
        for (const life of readLives(half))
          lived.push(await liveTwice(life, on, off, lived.length % 2 === 0));
        times.push(...lived.flatMap((one) => one.on.times));
        halves.push(report(half, lived));
      }
    }),
  );
  const model = await benchModel(readLives('development'));
  return { halves, turn: { p50: median(times), p95: percentile(times, 0.95) }, model };
}

async function liveTwice(life: Life, on: BenchService, off: BenchService, onFirst: boolean): Promise<Lived> {
  const first = await tellLife(onFirst ? on : off, life);
  const second = await tellLife(onFirst ? off : on, life);
  return onFirst ? { life, on: first, off: second } : { life, on: second, off: first };
}

function report(half: Half, lived: readonly Lived[]): HalfReport {
  const judged = (which: 'on' | 'off'): { life: Life; verdict: Verdict }[] =>
    lived.map((one) => ({ life: one.life, verdict: judge(one.life, one[which].answer) }));
  const scores = score(judged('on'));
  const times = scores.map(({ kind }) => {
    const of = lived.filter(({ life }) => kind === 'all' || life.kind === kind);
    const middle = (which: 'on' | 'off'): number => median(of.flatMap((one) => one[which].times));
    return { kind, on: middle('on'), off: middle('off') };
  });
  return { half, scores, without: score(judged('off')).at(-1), times };
}
