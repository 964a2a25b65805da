import type { ToolContext } from '../../../../src/tools/tool';

/** The context of a first attempt that may be repeated, with 30 s left. */
export function toolContext(overrides: Partial<ToolContext> = {}): ToolContext {
  return {
    owner: { tenant: 'default' },
    signal: new AbortController().signal,
    timeoutMs: 30_000,
    attempt: 1,
    lastAttempt: false,
    allowPrivate: true,
    ...overrides,
  };
}
