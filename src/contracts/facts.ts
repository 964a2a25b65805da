import { z } from 'zod';

/** What drew a fact from a memory. */
export const DRAWN_BY = ['rules', 'model'] as const;
export type DrawnBy = (typeof DRAWN_BY)[number];

/** What one memory says of a user, or of somebody whom the user names. */
export interface SaidFact {
  /** `user`, or who else the fact is about. */
  readonly subject: string;
  readonly attribute: string;
  /** Null if something ends whose value is not said. */
  readonly value: string | null;
  readonly change: 'holds' | 'ends' | 'corrects' | 'doubts';
  /** Whether there is one value at a time. */
  readonly single: boolean;
  readonly replaces?: string;
  /** As in `Fact`; absent: true. */
  readonly certain?: boolean;
  /** Other words by which a question finds the fact. */
  readonly about?: string;
  /** The place of the clause in the text of the memory, code units. */
  readonly start: number;
  readonly end: number;
}

/** A fact as it was said, and what became of it since. */
export interface RecordedFact extends SaidFact {
  /** Absent: the rules. */
  readonly drawnBy?: 'model';
  /**
   * Present if somebody said over REST that it never held. `by` is the fact that holds in its place, `at` when it was said, epoch
   * milliseconds; entries of older builds have no time.
   */
  readonly retracted?: { readonly by?: string; readonly at?: number };
}

/** The facts that one memory says, or one correction over REST. */
export interface FactSource {
  /** The id of the memory; for a correction an id of its own. */
  readonly memoryId: string;
  /** From when on it holds, epoch milliseconds: when it was said. */
  readonly at: number;
  /** When the memory was stored, epoch milliseconds; absent for corrections, and if that is `at`. */
  readonly storedAt?: number;
  /** When a correction was made, epoch milliseconds; absent for memories. */
  readonly correctedAt?: number;
  readonly said: readonly RecordedFact[];
  /** The digest of the text that was read; absent for corrections, and in entries of older builds. */
  readonly textDigest?: string;
  /** The run whose turn said it. */
  readonly runId?: string;
  /** Present if a consolidation archived the memory; `keptAs` is the memory that says the same and stays. */
  readonly archived?: { readonly keptAs?: string };
}

/** A memory that says a fact, with the place of the clause in its text (code units). */
export interface FactMention extends Pick<FactSource, 'memoryId' | 'correctedAt' | 'runId' | 'archived'> {
  readonly start: number;
  readonly end: number;
  /** Present if the clause says that the fact has ended. It stands until the same value holds again, epoch milliseconds. */
  readonly ends?: { readonly until?: number };
}

/** A fact as all memories together leave it. */
export interface Fact {
  readonly id: string;
  readonly subject: string;
  readonly attribute: string;
  readonly value: string;
  readonly single: boolean;
  readonly about?: string;
  /** Whether the attribute is known by name; others are words of a clause, and may be of another thing. */
  readonly certain: boolean;
  /** Epoch milliseconds. */
  readonly validFrom: number;
  /** Epoch milliseconds; absent if it holds. */
  readonly validTo?: number;
  /** When something was said that may have changed it, epoch milliseconds; absent once it is said again. */
  readonly doubtedAt?: number;
  /** When the memory that says it first was stored, or the correction made, epoch milliseconds. */
  readonly learnedAt: number;
  /** What drew it from the memory that says it first; absent for a correction over REST. */
  readonly drawnBy?: DrawnBy;
  /** The fact that took its place. */
  readonly supersededBy?: string;
  /** True if a correction says that it never held. */
  readonly neverHeld?: true;
  /** All that say it, the first first. */
  readonly sources: readonly FactMention[];
}

/** A fact that an answer rests on. */
export const heldFactSchema = z.object({
  id: z.string(),
  subject: z.string(),
  attribute: z.string(),
  value: z.string(),
  since: z.string().describe('When it was said, ISO 8601'),
  until: z.string().optional().describe('When it ended, ISO 8601; absent if it holds'),
});
export type HeldFact = z.infer<typeof heldFactSchema>;

/** A fact in the form that answers name. Pure. */
export function toHeldFact({ id, subject, attribute, value, validFrom, validTo }: Fact): HeldFact {
  const until = validTo === undefined ? {} : { until: new Date(validTo).toISOString() };
  return { id, subject, attribute, value, since: new Date(validFrom).toISOString(), ...until };
}

/** A memory as the source of a fact. */
export interface ShownSource {
  readonly memoryId: string;
  readonly runId?: string;
  /** True if the memory is archived, and no other one says the same. */
  readonly archived?: true;
}

/** The memories that say a fact, each once: in place of an archived one the memory that is kept for it. Pure. */
export function toShownSources(mentions: readonly FactMention[]): ShownSource[] {
  const shown = mentions
    .filter(({ correctedAt }) => correctedAt === undefined)
    .map(({ memoryId, runId, archived }): ShownSource => {
      if (archived?.keptAs !== undefined) return { memoryId: archived.keptAs };
      return {
        memoryId,
        // eslint-disable-next-line holdfast/conditional-spread -- must not replace the run of another mention below
        ...(runId === undefined ? {} : { runId }),
        ...(archived === undefined ? {} : { archived: true }),
      };
    });
  const byId = new Map<string, ShownSource>();
  // The memory's own mention has its run, and the mention of a memory that it is kept for has none.
  for (const source of shown) byId.set(source.memoryId, { ...byId.get(source.memoryId), ...source });
  return [...byId.values()];
}
