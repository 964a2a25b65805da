import type { ChatMessage } from '../types';

/** What a conversation says of a plan under way. */
export interface Progress {
  /** The last thing the user said. */
  readonly query: string;
  /** Results of the calls asked for since, in order. */
  readonly results: readonly {
    readonly toolName: string;
    readonly output: unknown;
    readonly failed: boolean;
  }[];
}

/** Reads the last user message and the tool results after it. */
export function readProgress(messages: readonly ChatMessage[]): Progress {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const last = messages[start];
  const after = messages.slice(start + 1);
  const names = new Map<string, string>();
  for (const message of after) {
    if (message.role !== 'assistant') continue;
    for (const { id, toolName } of message.toolRequests ?? []) names.set(id, toolName);
  }
  const results = after.flatMap((message) =>
    message.role === 'tool'
      ? [
          {
            toolName: names.get(message.requestId) ?? '',
            output: message.content,
            failed: message.failed === true,
          },
        ]
      : [],
  );
  return { query: last?.role === 'user' ? last.content : '', results };
}
