import { shorten } from '../../contracts/json';
import { TopicCounter } from '../insights/topic-counter';

/** A message of a session. */
export interface SummarisedMessage {
  readonly text: string;
  /** Whether facts were read from it. They are kept apart and may end, so that no summary quotes them. */
  readonly saysFacts: boolean;
}

/** Times are ISO 8601. */
export interface SummarisedSession {
  readonly messages: number;
  readonly from: string;
  readonly to: string;
}

const MAX_TOPICS = 8;
const MAX_QUOTES = 3;
/** Maximum length of a quoted message, characters. */
const MAX_QUOTE = 160;
const MIN_QUOTE = 20;
/** Maximum length of a topic, characters. */
const MAX_TOPIC = 60;

/**
 * Summarises a session by its topics, and by those of the user's messages without facts that name most of them. Pure.
 * @param said the messages of the user, the first first
 */
export function summariseSession(said: readonly SummarisedMessage[], session: SummarisedSession): string {
  const counter = new TopicCounter();
  for (const { text } of said) counter.add({ names: [], text, weight: 1 });
  const topics = counter.topics(MAX_TOPICS).map(({ topic }) => topic);
  const quotes = pickQuotes(said, topics);
  const [from, to] = [session.from.slice(0, 10), session.to.slice(0, 10)];
  return [
    `${session.messages} messages ${from === to ? `on ${from}` : `from ${from} to ${to}`}.`,
    ...(topics.length === 0
      ? []
      : [`Topics: ${topics.map((topic) => shorten(topic, MAX_TOPIC)).join(', ')}.`]),
    ...quotes.map((quote) => `“${quote}”`),
  ].join(' ');
}

/** Picks the statements that name most topics, in the order in which they were said. */
function pickQuotes(said: readonly SummarisedMessage[], topics: readonly string[]): string[] {
  const scored = said.flatMap(({ text, saysFacts }, place) => {
    const quote = text.trim();
    const isStatement = quote.length >= MIN_QUOTE && quote.length <= MAX_QUOTE && !quote.includes('?');
    if (saysFacts || !isStatement) return [];
    const lower = quote.toLowerCase();
    const score = topics.filter((topic) => lower.includes(topic.toLowerCase())).length;
    return score === 0 ? [] : [{ quote, place, score }];
  });
  const distinct = [...new Map(scored.map((each) => [each.quote, each])).values()];
  return distinct
    .sort((one, other) => other.score - one.score || one.place - other.place)
    .slice(0, MAX_QUOTES)
    .sort((one, other) => one.place - other.place)
    .map(({ quote }) => quote);
}
