import { z } from 'zod';

/** The schema of `options.onWaiting`. */
export const waitingOption = z
  .enum(['reject', 'queue'])
  .optional()
  .describe(
    'What happens while the turn before waits for a person: a 409 (the default), or waiting behind it',
  );

export type WaitingOption = z.output<typeof waitingOption>;
