import type { RecordedFact } from '../../../contracts/facts';
import type { DueMemories, DueMemory } from '../due-memories';
import { untilAvailable } from '../../../stores/until-available';
import type { ChooseSaid, FactLog } from '../fact-log';
import type { FactRules } from '../facts';
import type { DrawnFact } from './ask';
import { checkDrawn, givesWay, REFUSALS, type Refusal } from './check';

/** How long a store that is away is waited for after a call, milliseconds. */
const SETTLE_LIMIT_MS = 20_000;

export interface ModelFactsPorts {
  readonly log: Pick<FactLog, 'due' | 'settle'>;
  readonly rules: Pick<FactRules, 'readClaim'> | undefined;
  /** Reads what a user says in a memory; undefined if the memory is gone, or is not theirs. */
  readonly textOf: (memory: Pick<DueMemory, 'memoryId' | 'userId'>) => Promise<string | undefined>;
}

/** How many facts were dropped, by why; reasons that did not occur are absent. */
export type Refused = Readonly<Partial<Record<Refusal, number>>>;

/** What became of one due memory. */
export interface DrawnMemory {
  readonly drawn: number;
  readonly refused: Refused;
}

/** Draws facts from memories by a model, beside those of the rules. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface ModelFacts {
  owners: DueMemories['owners'];
  /**
   * Draws the facts of the memory of an owner that is due first, and stores those that stand the check.
   * @param ask asks the model; what it throws leaves the memory due, and an empty list settles it
   * @returns undefined if none is due
   */
  drawNext(
    owner: string,
    ask: (memory: DueMemory, text: string) => Promise<readonly DrawnFact[]>,
    signal: AbortSignal,
  ): Promise<DrawnMemory | undefined>;
}

export function createModelFacts({ log, rules, textOf }: ModelFactsPorts): ModelFacts {
  return {
    owners: log.due.owners,
    async drawNext(owner, ask, signal) {
      const due = await log.due.next(owner);
      if (due === undefined) return undefined;
      const { memory } = due;
      const text = await textOf(memory);
      const drawn = text === undefined ? [] : await ask(memory, text);
      const checked = drawn.map((one) => checkDrawn(text ?? '', one, rules));
      const stands = checked.filter((one): one is RecordedFact => typeof one !== 'string');
      let refusals: Refusal[] = [];
      const choose: ChooseSaid = (sources) => {
        const keptFacts: RecordedFact[] = [];
        refusals = checked.filter((one) => typeof one === 'string');
        for (const fact of stands) {
          // Facts of this answer count too, so that one that repeats itself says a fact once.
          const ownSource = { ...memory, said: keptFacts };
          const why = givesWay(fact, memory, [...sources, ownSource]);
          if (why === undefined) keptFacts.push(fact);
          else refusals.push(why);
        }
        return keptFacts;
      };
      // A store that goes away now is waited for, so that a model that has answered is not asked twice.
      const wait = { signal, timeoutMs: SETTLE_LIMIT_MS, onFailure: () => undefined };
      const added = await untilAvailable(() => log.settle(due, choose), wait);
      return { drawn: added.length, refused: countOf(refusals) };
    },
  };
}

function countOf(refusals: readonly Refusal[]): Refused {
  const counted = REFUSALS.map((why) => [why, refusals.filter((one) => one === why).length] as const);
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
}
