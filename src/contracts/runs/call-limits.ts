import type { ToolCall, ToolLimits } from './tools';

/** The limits of a call: those of its run, or the lower time limit of the remote server that it goes to. Pure. */
export function limitsOfCall({ implementation }: ToolCall, limits: ToolLimits): ToolLimits {
  const own = implementation.kind === 'mcp' ? implementation.timeoutMs : undefined;
  return own === undefined || own >= limits.timeoutMs
    ? limits
    : { ...limits, timeoutMs: own, source: 'toolTimeoutMs' };
}
