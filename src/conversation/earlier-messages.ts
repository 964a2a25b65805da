import type { Recalled, RecentMessage } from '../contracts/http/conversations';
import type { ChatMessage } from '../contracts/http/llm';
import type { EarlierMessage } from '../contracts/runs/turns';

type Earlier = readonly EarlierMessage[] | undefined;

/** Messages of a conversation as a model reads them. Pure. */
export function toChatMessages(earlier: Earlier): ChatMessage[] {
  return (earlier ?? []).map(({ role, content }) => ({ role, content }));
}

/** Leaves out of what memory has of the session what the caller has sent too. Pure. */
export function withoutEarlier(recalled: Recalled, earlier: Earlier): Recalled {
  if (earlier === undefined || earlier.length === 0) return recalled;
  const sent = new Set(earlier.map(keyOf));
  return { ...recalled, recent: recalled.recent.filter((message) => !sent.has(keyOf(message))) };
}

/** Adds the messages that a caller has sent to those that memory has of the session, before them. Pure. */
export function withEarlier(recalled: Recalled, earlier: Earlier): Recalled {
  if (earlier === undefined || earlier.length === 0) return recalled;
  const sent = earlier.map(({ role, content }, index): RecentMessage => ({
    id: `earlier-${index + 1}`,
    role,
    content,
  }));
  return { ...recalled, recent: [...sent, ...withoutEarlier(recalled, earlier).recent] };
}

function keyOf({ role, content }: EarlierMessage): string {
  return `${role} ${content.trim()}`;
}
