import { answerFromFacts, answerFromMemories, readFacts, type RecalledText } from '@holdfast/plain-english';
import type { FactSource } from '../../src/contracts/facts';
import { foldFacts } from '../../src/memory/facts/fold';
import { createStandingText } from '../../src/memory/facts/standing-text';
import type { Life } from '../../bench/facts/life';

const BEGINNING = Date.UTC(2026, 0, 1, 9);
const MINUTE_MS = 60_000;
const SESSION_MS = 24 * 60 * MINUTE_MS;

/** Answers a life's question by the rules alone, as the service does, without a service: every message is recalled. */
export function answerByRulesAlone(life: Life): string {
  const sources: FactSource[] = [];
  const messages: RecalledText[] = [];
  life.sessions.forEach((session, day) =>
    session.forEach((text, minute) => {
      const at = BEGINNING + day * SESSION_MS + minute * MINUTE_MS;
      const memoryId = `m${day}-${minute}`;
      const known = foldFacts(sources).filter(({ validTo }) => validTo === undefined);
      sources.push({ memoryId, at, said: readFacts(text, known.reverse()) });
      const said = { id: memoryId, kind: 'episodic', role: 'user', relevance: 0.5 } as const;
      messages.push({ ...said, text, timestamp: new Date(at).toISOString(), sessionId: `s${day}` });
    }),
  );
  const facts = foldFacts(sources);
  const now = new Date(BEGINNING + life.sessions.length * SESSION_MS);
  const answer = answerFromFacts(life.question, facts);
  if (answer !== undefined) return answer.text;
  const standingText = createStandingText(facts, true);
  const standing = messages.flatMap((message) => {
    const text = standingText(message.id, message.text);
    return text === undefined ? [] : [{ ...message, text }];
  });
  return answerFromMemories(life.question, standing, now)?.text ?? '';
}
