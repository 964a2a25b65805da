import { z } from 'zod';
import type { ErasureResult } from '../../src/contracts/runs/memory';

const count = z.number().int().min(0);

export const erasureAnswerSchema = z.object({
  cleared: z.literal(true),
  erased: z.object({
    episodic: count,
    semantic: count,
    relations: count,
    archived: count
      .optional()
      .describe('Copies of memories that a consolidation archived; absent in erasures by older builds'),
    runs: count.describe('Conversation turns whose runs were deleted, with their histories'),
  }),
  receipt: z.string().optional().describe('Id of the signed receipt, for GET /api/memory/erasures/:id'),
  storesNotReached: count
    .optional()
    .describe(
      'Number of former stores that may still hold memories of the user, which the receipt names; absent if there are none',
    ),
});

/** Builds the response to an erasure. Pure. */
export function toErasureAnswer({
  unreached,
  receipt,
  ...erased
}: ErasureResult): z.input<typeof erasureAnswerSchema> {
  return {
    cleared: true,
    erased,
    receipt,
    ...(unreached === 0 ? {} : { storesNotReached: unreached }),
  };
}
