import { z } from 'zod';

/** What one memory says of a user, or of somebody whom the user names. */
export const SaidFact = z.object({
  subject: z.string().min(1).describe('`user`, or who else the fact is about'),
  attribute: z.string().min(1),
  value: z.string().nullable().describe('null where something ends whose value is not said'),
  change: z.enum(['holds', 'ends', 'corrects']),
  single: z.boolean().describe('whether there is one value at a time'),
  replaces: z.string().optional(),
  about: z.string().optional().describe('other words by which a question finds the fact'),
  start: z.number().int().min(0),
  end: z.number().int().min(0),
});
export type SaidFact = z.infer<typeof SaidFact>;

/** The facts that one memory says. */
export interface FactSource {
  readonly memoryId: string;
  /** When it was said, epoch milliseconds. */
  readonly at: number;
  readonly said: readonly SaidFact[];
  /** Absent for facts that came over REST. */
  readonly runId?: string;
  readonly step?: string;
}

/** A fact as all memories together leave it. */
export interface Fact {
  readonly id: string;
  readonly subject: string;
  readonly attribute: string;
  readonly value: string;
  readonly single: boolean;
  readonly about?: string;
  /** Epoch milliseconds. */
  readonly validFrom: number;
  /** Epoch milliseconds; absent where it holds. */
  readonly validTo?: number;
  readonly learnedAt: number;
  /** The fact that took its place. */
  readonly supersededBy?: string;
  /** True where a correction says that it never held. */
  readonly neverHeld?: true;
  /** Each memory that says it, the first first, with the place of the clause in its text. */
  readonly sources: readonly FactMention[];
}

export interface FactMention {
  readonly memoryId: string;
  readonly start: number;
  readonly end: number;
  readonly runId?: string;
  readonly step?: string;
}
