import { z } from 'zod';
import { DRAWN_BY, type Fact, toShownSources } from '../../src/contracts/facts';
import { holdsAt } from '../../src/memory/facts/facts';
import { readOnlyFields } from '../http/read-only';

const MAX_FACTS = 1_000;
const DEFAULT_FACTS = 100;
const MAX_VALUE = 1_000;
const time = z.string().describe('ISO 8601');

/** A fact in responses. */
export const factSchema = z.object({
  id: z.string(),
  subject: z.string().describe('`user`, or who else the fact is about'),
  attribute: z.string(),
  value: z.string(),
  single: z.boolean().describe('Whether there is one value at a time'),
  certain: z.boolean().describe('Whether the attribute is known by name; others are words of a sentence'),
  validFrom: time,
  validTo: time.optional().describe('Absent if the fact holds'),
  doubtedAt: time
    .optional()
    .describe(
      'When something was said that may have changed it; no rule answers with it until it is said again',
    ),
  learnedAt: time,
  drawnBy: z
    .enum(DRAWN_BY)
    .optional()
    .describe('What drew it from the memory that says it first; absent for a correction over REST'),
  supersededBy: z.string().optional().describe('The fact that took its place'),
  neverHeld: z.literal(true).optional().describe('A correction says that it never held'),
  sources: z
    .array(
      z.strictObject({
        memoryId: z.string(),
        runId: z.string().optional(),
        archived: z
          .literal(true)
          .optional()
          .describe('A consolidation archived the memory, and no other one says the same'),
      }),
    )
    .describe('The memories that say it; empty for a correction over REST'),
});
export type FactResponse = z.infer<typeof factSchema>;

export const factsQuery = z.strictObject({
  asOf: z.iso
    .datetime({ offset: true, message: 'must be an ISO 8601 date and time' })
    .optional()
    .describe('What existed and held then; default now'),
  history: z
    .stringbool()
    .default(false)
    .meta({ type: 'boolean' })
    .describe('Whether what does not hold is listed too'),
  uncertain: z
    .stringbool()
    .default(false)
    .meta({ type: 'boolean' })
    .describe('Whether facts are listed too whose attribute is only words of a sentence'),
  subject: z.string().max(200).optional(),
  attribute: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_FACTS).default(DEFAULT_FACTS),
  offset: z.coerce.number().int().min(0).default(0),
});

/** The fields of a fact that a correction does not change. */
export const READ_ONLY_OF_FACTS = Object.keys(factSchema.omit({ value: true }).shape) as Exclude<
  keyof FactResponse,
  'value'
>[];

export const correctionSchema = z.strictObject({
  ...readOnlyFields(factSchema.shape, READ_ONLY_OF_FACTS),
  userId: z.string().optional().describe('May be sent; another user than that of the path is refused'),
  value: z.string().trim().min(1).max(MAX_VALUE),
});

/** Selects the facts that a query asks for, the latest first. Pure. @param now epoch milliseconds */
export function selectFacts(
  facts: readonly Fact[],
  { asOf, history, uncertain, subject, attribute }: Omit<z.output<typeof factsQuery>, 'limit' | 'offset'>,
  now: number,
): Fact[] {
  const at = asOf === undefined ? now : Date.parse(asOf);
  return facts
    .filter((fact) => (history ? fact.validFrom <= at : holdsAt(fact, at)))
    .filter((fact) => uncertain || fact.certain)
    .filter((fact) => subject === undefined || fact.subject === subject.toLowerCase())
    .filter((fact) => attribute === undefined || fact.attribute === attribute.toLowerCase())
    .reverse();
}

/** Builds the fact that callers see. Pure. */
export function toFactResponse(fact: Fact): FactResponse {
  const { id, subject, attribute, value, single, certain, supersededBy, neverHeld } = fact;
  const date = (at: number): string => new Date(at).toISOString();
  return {
    id,
    subject,
    attribute,
    value,
    single,
    certain,
    validFrom: date(fact.validFrom),
    ...(fact.validTo === undefined ? {} : { validTo: date(fact.validTo) }),
    ...(fact.doubtedAt === undefined ? {} : { doubtedAt: date(fact.doubtedAt) }),
    learnedAt: date(fact.learnedAt),
    drawnBy: fact.drawnBy,
    supersededBy,
    neverHeld,
    sources: toShownSources(fact.sources),
  };
}
