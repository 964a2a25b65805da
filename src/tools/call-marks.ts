import type { StoredTool } from '../contracts/http/tools';
import type { ToolCall } from '../contracts/runs/tools';

/** The mean length of what lists have of a tool that a caller registered, characters of JSON. */
export const MEAN_LENGTH = 16_384;
/** Even if few may be registered, one of them may be as long as a request. */
const MIN_TOTAL = 1_048_576;

/** What a call takes from the registration of its tool, by which a run decides whether it waits for a person. Pure. */
export function callMarks({
  requiresApproval,
  annotations,
}: Pick<StoredTool, 'requiresApproval' | 'annotations'>): Pick<ToolCall, 'requiresApproval' | 'annotations'> {
  return {
    requiresApproval: requiresApproval === true ? true : undefined,
    annotations,
  };
}

/**
 * Computes how long the descriptions and parameters of all tools that callers registered may be together. A list of tools reads all
 * of them into the memory of a process that other tenants use too, so their number alone bounds nothing. Pure.
 * @param maxTools how many may be registered
 */
export function maxTotalLength(maxTools: number): number {
  return Math.max(MIN_TOTAL, maxTools * MEAN_LENGTH);
}
