import { z } from 'zod';
import type { Config } from '../../src/settings/config';

/** Builds the schema of `options.timeout`. The message of its maximum names the setting. */
export function timeoutOption({ TOOL_TIMEOUT_MS }: Pick<Config, 'TOOL_TIMEOUT_MS'>) {
  return z
    .number()
    .int()
    .min(1)
    .max(TOOL_TIMEOUT_MS, `must be at most ${TOOL_TIMEOUT_MS} ms (TOOL_TIMEOUT_MS)`)
    .optional()
    .describe('Limit of each tool call, milliseconds');
}
