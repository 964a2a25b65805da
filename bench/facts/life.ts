import { z } from 'zod';

/** A scripted life: what somebody says over some sessions, and one question at the end. */
export const Life = z.strictObject({
  id: z.string(),
  kind: z.string(),
  sessions: z.array(z.array(z.string()).min(1)).min(1),
  question: z.string(),
  /** The answer is right where it has one of these; an empty list: where nothing is known. */
  right: z.array(z.string()),
  /** What held once and holds no more. */
  stale: z.array(z.string()),
  /** What was never said to hold. */
  never: z.array(z.string()),
});
export type Life = z.infer<typeof Life>;

export type Verdict = 'right' | 'stale' | 'never' | 'refused';

/** Judges an answer: what must not be in it counts before what has to be. Pure. */
export function judge({ right, stale, never }: Life, answer: string): Verdict {
  const has = (texts: readonly string[]): boolean =>
    texts.some((text) => answer.toLowerCase().includes(text.toLowerCase()));
  if (has(stale)) return 'stale';
  if (has(never)) return 'never';
  return right.length === 0 || has(right) ? 'right' : 'refused';
}
