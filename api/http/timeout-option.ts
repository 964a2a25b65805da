import { z } from 'zod';

/** The option of a request that limits each of its tool calls. @param max the setting TOOL_TIMEOUT_MS */
export function timeoutOption(max: number) {
  return z
    .number()
    .int()
    .min(1)
    .max(max, `must be at most ${max} ms (TOOL_TIMEOUT_MS)`)
    .optional()
    .describe('Limit of each tool call, milliseconds');
}
