import type { Fact } from '../contracts/facts';
import { stem, wordsOf } from '../base/text/stem';
import { countTokens } from '../llm/token-count';
import { holdsAt } from '../memory/facts/facts';
import { element, listElement } from './elements';

/** How much a model reads of a user's facts, tokens by the estimate of `countTokens`. */
const MAX_TOKENS = 500;

/**
 * Builds the text of what holds of a user for a model: what the list of facts shows where its caller asks for nothing else,
 * each with the day from which it holds. Where not all fit, those come first that share words with the query, then the latest.
 * @param now epoch milliseconds
 * @returns an empty text where nothing is known
 */
export function factsText(facts: readonly Fact[], query: string, now: number): string {
  const asked = stemsOf(query);
  const holding = facts.filter((fact) => fact.certain && holdsAt(fact, now)).reverse();
  const isAsked = ({ subject, attribute, value, about = '' }: Fact): boolean =>
    [...stemsOf(`${subject} ${attribute} ${value} ${about}`)].some((word) => asked.has(word));
  const lines: string[] = [];
  let room = MAX_TOKENS;
  for (const fact of [...holding.filter(isAsked), ...holding.filter((each) => !isAsked(each))]) {
    const line = toLine(fact);
    const cost = countTokens(line);
    if (cost > room) continue;
    room -= cost;
    lines.push(line);
  }
  return lines.length === 0 ? '' : listElement('facts', lines);
}

function toLine({ subject, attribute, value, validFrom, doubtedAt }: Fact): string {
  return element(
    'fact',
    {
      of: subject === 'user' ? undefined : subject,
      since: dayOf(validFrom),
      // Something was said that may have changed it.
      doubted: doubtedAt === undefined ? undefined : dayOf(doubtedAt),
    },
    `${attribute}: ${value}`,
  );
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function stemsOf(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text).map(stem));
}
