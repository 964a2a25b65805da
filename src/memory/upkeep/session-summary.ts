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

/** The summary of a session in the making. A caller adds its messages one by one, so that it can do other work in between. */
export interface SessionSummary {
  /** Adds a message of the user, the latest first. */
  add(message: SummarisedMessage): void;
  /** Summarises the session by its topics, and by those of the added messages without facts that name most of them. */
  build(session: SummarisedSession): string;
}

export function createSessionSummary(): SessionSummary {
  const counter = new TopicCounter();
  const statements: string[] = [];
  return {
    add({ text, saysFacts }) {
      counter.add({ names: [], text, weight: 1 });
      const quote = text.trim();
      if (!saysFacts && isQuotable(quote)) statements.push(quote);
    },
    build(session) {
      const topics = counter.topics(MAX_TOPICS).map(({ topic }) => topic);
      const quotes = pickQuotes([...statements].reverse(), topics);
      const [from, to] = [session.from.slice(0, 10), session.to.slice(0, 10)];
      return [
        `${session.messages} messages ${from === to ? `on ${from}` : `from ${from} to ${to}`}.`,
        ...(topics.length === 0
          ? []
          : [`Topics: ${topics.map((topic) => shorten(topic, MAX_TOPIC)).join(', ')}.`]),
        ...quotes.map((quote) => `“${quote}”`),
      ].join(' ');
    },
  };
}

function isQuotable(quote: string): boolean {
  return quote.length >= MIN_QUOTE && quote.length <= MAX_QUOTE && !quote.includes('?');
}

/** Picks the statements that name most topics, in the order in which they were said. */
function pickQuotes(statements: readonly string[], topics: readonly string[]): string[] {
  const scored = statements.flatMap((quote, place) => {
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
