import type { Fact, FactSource, SaidFact } from '../../contracts/facts';
import { nextLargePiece } from '../../base/async/large-pieces';
import { HoldfastError } from '../../base/errors';
import type { FactLog } from './fact-log';
import { foldFacts } from './fold';
import { keepRetracted, saysOther, states } from './sayings';
import { computeDigest } from '../../base/ids';

/** What a model takes a part of a message to say. */
export interface Claim {
  /** `user`, or whom else it is about. */
  readonly subject: string;
  /** Whether it is taken to say that something ends, which may be said by a denial. */
  readonly ends: boolean;
  /** The place of the value in the message, code units. */
  readonly start: number;
  readonly end: number;
}

/**
 * Why a claim is no fact. `unreal`: wished or supposed. `unended`: its clause has no word of an end. `reported`: somebody else says
 * it, or it is about somebody else.
 */
export const CLAIM_PROBLEMS = ['asked', 'unreal', 'denied', 'unended', 'reported'] as const;
export type ClaimProblem = (typeof CLAIM_PROBLEMS)[number];

/** What rules know of a claim, with the place of its clause in the message. */
export interface ReadClaim {
  readonly start: number;
  readonly end: number;
  readonly problem?: ClaimProblem;
}

/** The rules that read facts. */
export interface FactRules {
  /** Rises when the rules read other facts of the same message, so that facts drawn before are drawn anew; from 1 on. */
  readonly factsVersion: number;
  /** @param known the facts that hold before the message, the latest first */
  readFacts(message: string, known: readonly Fact[]): readonly SaidFact[];
  /** Reads the clause of a claim; undefined if the rules do not read that part of the message. */
  readClaim(message: string, claim: Claim): ReadClaim | undefined;
}

/**
 * Maximum number of facts that rules draw from one memory, the first ones. A text of 10,000 characters may have 400, and all that a
 * user said is worked through at each of the user's memories.
 */
export const MAX_DRAWN = 50;
/** The rules read a text of more characters for tens of milliseconds. */
const LONG_TEXT = 1_000;

export interface FactsPorts {
  readonly log: FactLog;
  /** Absent if English is not read by rules: no facts are drawn, and those drawn before stay until their memory changes. */
  readonly rules: Pick<FactRules, 'readFacts'> | undefined;
  /** Whether a model reads memories too, later. Default: false. */
  readonly byModel?: boolean;
  readonly newId: () => string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** A memory from which facts are drawn. */
export interface SourceMemory extends Omit<FactSource, 'said' | 'textDigest' | 'correctedAt' | 'archived'> {
  readonly userId: string;
  readonly sessionId?: string | null;
  readonly text: string;
  /** The text before a change; absent for a memory that is new. */
  readonly formerText?: string;
}

/** What memories of a user say, and the facts that follow from it. */
export interface ReadSources {
  readonly sources: readonly FactSource[];
  readonly facts: readonly Fact[];
}

/** The facts of users. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface Facts {
  /** Draws the facts of a memory, in the place of those drawn from it before. @throws HoldfastError `MEMORY_ERASING` */
  draw(memory: SourceMemory): Promise<void>;
  /**
   * Notes that a model has to read memories that were stored without `draw`; nothing if no model draws facts.
   * @throws HoldfastError `MEMORY_ERASING`
   */
  postpone(userId: string, memories: readonly Omit<SourceMemory, 'formerText'>[]): Promise<void>;
  /** Forgets what a memory says, and what those say that it is kept for; what they superseded may hold again. */
  forget(userId: string, memoryId: string): Promise<void>;
  /** Notes that a memory is archived. What it says stays, so that no fact is lost. @throws HoldfastError `MEMORY_ERASING` */
  archive(userId: string, memoryId: string, keptAs?: string): Promise<void>;
  /**
   * Notes that an archived memory is there again.
   * @param source what it said when it was archived, in case that was forgotten since
   * @throws HoldfastError `MEMORY_ERASING`
   */
  restore(userId: string, memoryId: string, source?: FactSource): Promise<void>;
  /** Returns what a memory says. */
  sourceOf(userId: string, memoryId: string): Promise<FactSource | undefined>;
  readSources(userId: string): Promise<ReadSources>;
  /** Reads the ids of the memories that a model has still to read. */
  listDue(userId: string): Promise<ReadonlySet<string>>;
  /** Lists the facts of all times, in the order in which they began. */
  list(userId: string): Promise<readonly Fact[]>;
  /**
   * Sets another value, which holds in the place of the one before, as if it had been said then.
   * @param check called with the fact before it is corrected, which it refuses by throwing
   * @returns the fact that holds now, which is an earlier one if it had the value already
   * @throws HoldfastError `FACT_NOT_FOUND`, `MEMORY_ERASING`
   */
  correct(userId: string, factId: string, value: string, check?: (before: Fact) => void): Promise<Fact>;
  /**
   * Says that a fact never held; what it superseded may hold again.
   * @returns the fact that never held, which is an earlier one if the value was retracted before
   * @throws HoldfastError as `correct`
   */
  retract(userId: string, factId: string): Promise<Fact>;
}

export function createFacts({ log, rules, byModel = false, newId, now }: FactsPorts): Facts {
  /** The facts of what the log has read, which it returns again if nothing has changed. */
  const folded = new WeakMap<readonly FactSource[], readonly Fact[]>();
  function fold(sources: readonly FactSource[]): readonly Fact[] {
    const facts = folded.get(sources) ?? foldFacts(sources);
    folded.set(sources, facts);
    return facts;
  }

  /** @param isIt default: the fact has this id. @throws HoldfastError `FACT_NOT_FOUND` */
  async function find(
    userId: string,
    factId: string,
    isIt = ({ id }: Fact): boolean => id === factId,
  ): Promise<Fact> {
    const fact = fold(await log.read(userId)).find(isIt);
    if (fact === undefined) throw new HoldfastError('FACT_NOT_FOUND', `There is no fact "${factId}"`);
    return fact;
  }

  /** Forgets what the archived memories say for which a memory is kept. */
  async function forgetKeptFor(
    userId: string,
    memoryId: string,
    sources: readonly FactSource[],
  ): Promise<void> {
    for (const source of sources)
      if (source.archived?.keptAs === memoryId) await log.forget(userId, source.memoryId);
  }

  async function forget(userId: string, memoryId: string): Promise<void> {
    await forgetKeptFor(userId, memoryId, await log.read(userId));
    await log.forget(userId, memoryId);
  }

  async function markRetracted(userId: string, fact: Fact, by?: string): Promise<void> {
    const retracted = { at: now(), by };
    // The first source, whose id the fact has, comes last: a repeat of a request that failed half-way finds the fact and its others.
    for (const memoryId of new Set(fact.sources.map((source) => source.memoryId).reverse()))
      await log.change(userId, memoryId, (source) => {
        if (source === undefined) return undefined;
        const allSaid = source.said.map((each) => (states(each, fact) ? { ...each, retracted } : each));
        return { ...source, said: allSaid };
      });
  }

  return {
    async draw({ userId, sessionId, text, formerText, ...memory }) {
      const source = { ...memory, textDigest: computeDigest(text) };
      if (rules === undefined && !byModel) {
        // What was drawn from another text is not what the memory says.
        if ((formerText ?? text) !== text) await forget(userId, source.memoryId);
        return;
      }
      if (text.length > LONG_TEXT) await nextLargePiece();
      const sources = await log.read(userId);
      const before = sources.find(({ memoryId }) => memoryId === source.memoryId);
      // An earlier request may have changed the text and failed before its facts were written.
      const { textDigest: formerDigest = computeDigest(formerText ?? text) } = before ?? {};
      const isOtherText = formerDigest !== source.textDigest;
      // A memory that is stored again as it was keeps what it says, with all that became of it since.
      if (before !== undefined && formerText === text && !isOtherText) return;
      const others = sources.filter(({ memoryId }) => memoryId !== source.memoryId);
      const earlier = others.filter(({ at }) => at <= source.at);
      const known = fold(earlier.length === sources.length ? sources : earlier);
      const holding = known.filter(({ validTo }) => validTo === undefined).reverse();
      const read = rules?.readFacts(text, holding).slice(0, MAX_DRAWN) ?? [];
      const allSaid = keepRetracted(before?.said ?? [], read);
      // A memory that says something else now no longer stands for those that it was kept for.
      if (saysOther(before?.said ?? [], allSaid, isOtherText))
        await forgetKeptFor(userId, source.memoryId, others);
      const due = byModel ? { ...source, userId, sessionId: sessionId ?? '' } : undefined;
      // Most memories say nothing, and there is nothing to store of them.
      if (allSaid.length === 0 && due === undefined && before === undefined) return;
      await log.record(userId, { ...source, said: allSaid }, due);
    },
    async postpone(userId, memories) {
      if (!byModel) return;
      await log.noteDue(
        userId,
        memories.map(({ sessionId, text, ...memory }) => ({
          ...memory,
          sessionId: sessionId ?? '',
          textDigest: computeDigest(text),
        })),
      );
    },
    forget,
    archive: (userId, memoryId, keptAs) =>
      log.change(
        userId,
        memoryId,
        (source) => source && { ...source, archived: keptAs === undefined ? {} : { keptAs } },
      ),
    restore: (userId, memoryId, copy) =>
      log.change(userId, memoryId, (stored) => {
        const source = stored ?? copy;
        if (source === undefined) return undefined;
        const { archived: _archived, ...present } = source;
        return present;
      }),
    sourceOf: (userId, memoryId) => log.find(userId, memoryId),
    listDue: (userId) => log.due.ids(userId),
    async readSources(userId) {
      const sources = await log.read(userId);
      return { sources, facts: fold(sources) };
    },
    list: async (userId) => fold(await log.read(userId)),
    async correct(userId, factId, value, check) {
      const fact = await find(userId, factId);
      check?.(fact);
      const memoryId = newId();
      const { subject, attribute, single, certain, about, validFrom: at } = fact;
      const words = about === undefined ? {} : { about };
      const statement = {
        subject,
        attribute,
        single,
        certain,
        ...words,
        value,
        change: 'holds',
        start: 0,
        end: 0,
      } as const;
      // The new value comes first, so that a process that is killed between the two leaves one value too many and not none.
      await log.record(userId, { memoryId, at, correctedAt: now(), said: [statement] });
      await markRetracted(userId, fact, `${memoryId}-0`);
      // If the value held already, the correction is one more source of that fact.
      return find(userId, `${memoryId}-0`, ({ sources }) =>
        sources.some((source) => source.memoryId === memoryId),
      );
    },
    async retract(userId, factId) {
      const fact = await find(userId, factId);
      await markRetracted(userId, fact);
      // If the value was retracted before, all that say it are sources of that fact.
      return find(userId, factId, (each) => each.neverHeld === true && states(each, fact));
    },
  };
}

/** Whether a fact holds at a time (epoch milliseconds). One that never held ends when it begins. Pure. */
export function holdsAt({ validFrom, validTo = Infinity }: Fact, time: number): boolean {
  return validFrom <= time && time < validTo;
}
