import type { StepQueue } from '../queues';
import type { ToolCall } from './tools';

/** The kind of task queue for a tool call that is a regular activity. */
export function queueOfCall({ toolName, implementation }: ToolCall): StepQueue {
  switch (implementation.kind) {
    case 'source':
      return 'sandbox';
    case 'builtin':
      // A document that is too long for an inline call is searched in the sandbox.
      return toolName === 'json_reader' ? 'sandbox' : 'io';
    case 'mcp':
    case 'none':
      return 'io';
  }
}
