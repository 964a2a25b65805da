import type { StepQueue } from '../queues';
import type { ToolCall } from './tools';

/** Where a tool call waits that is no local activity. */
export function queueOfCall({ toolName, implementation }: ToolCall): StepQueue {
  switch (implementation.kind) {
    case 'source':
      return 'sandbox';
    case 'builtin':
      // A document that is too long for the workflow's own task is searched in the sandbox.
      return toolName === 'json_reader' ? 'sandbox' : 'io';
    case 'none':
      return 'io';
  }
}
