import { answerFromFacts, answerFromMemories, readFacts, type RecalledText } from '@holdfast/plain-english';
import type { FactSource } from '../../src/contracts/facts';
import { foldFacts } from '../../src/memory/facts/fold';
import { createStandingText } from '../../src/memory/facts/sayings';

/**
 * Answers a question as the service does without a model, and without a service: every message is recalled.
 * @param messages the oldest first
 */
export function answerFromMessages(
  question: string,
  messages: readonly RecalledText[],
  now: Date,
): string | undefined {
  const facts = foldFacts(drawFacts(messages));
  const answer = answerFromFacts(question, facts);
  if (answer !== undefined) return answer.text;
  const standingText = createStandingText(facts, true);
  const standing = messages.flatMap((message) => {
    const text = standingText(message.id, message.text);
    return text === undefined ? [] : [{ ...message, text }];
  });
  return answerFromMemories(question, standing, now)?.text;
}

/** Draws the facts of what the user said, each message with those before it in mind. */
function drawFacts(messages: readonly RecalledText[]): FactSource[] {
  const sources: FactSource[] = [];
  for (const { id: memoryId, text, timestamp, kind, role } of messages) {
    if (kind !== 'episodic' || role !== 'user') continue;
    const known = foldFacts(sources).filter(({ validTo }) => validTo === undefined);
    const at = Date.parse(timestamp ?? '');
    sources.push({ memoryId, at, said: readFacts(text, known.reverse()) });
  }
  return sources;
}
