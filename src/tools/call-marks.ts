import type { StoredTool } from '../contracts/http/tools';
import type { ToolCall } from '../contracts/runs/tools';

/** What a call takes from the registration of its tool, by which a run decides whether it waits for a person. Pure. */
export function callMarks({
  requiresApproval,
  annotations,
}: Pick<StoredTool, 'requiresApproval' | 'annotations'>): Pick<ToolCall, 'requiresApproval' | 'annotations'> {
  return {
    ...(requiresApproval === true ? { requiresApproval } : {}),
    ...(annotations === undefined ? {} : { annotations }),
  };
}
