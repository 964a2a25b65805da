import { z } from 'zod';

/** Whether a classification says why. A model is asked for its reasons only if the caller wants these. */
export const reasoningOption = z
  .boolean()
  .optional()
  .describe('true: a model says why; absent: `reasoning` names what decided; false: there is no `reasoning`');
