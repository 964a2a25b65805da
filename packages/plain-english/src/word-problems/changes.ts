import { combine, type Expression } from '../arithmetic/expression';
import type { Fact } from './fact';
import type { Question } from './question';
import { mergeRates } from './terms';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const LOSING = words(
  'give gives giving gave lose losing lost loses eat eats ate eaten spend spending spent spends sell sold sells selling use used uses using remove removed drop dropped break broke broken throw threw leave pay pays paid paying donate donated drink drank drunk took taken takes gone die died withdraw withdrew withdrawn consumed fell shipped sent delivered booked occupied taken read ran rent bill bills costs cost cut burned burnt spilled discarded handed missing lent lend expenses cancelled canceled',
);
const GAINING = words(
  'buy buys bought get gets got find finds found receive received receives earn earned earns gain gained win won added adds add pick picked collect collected borrow borrowed deposit deposited save saved saves made make makes bake baked came come joined join arrive arrived arrives another refund refunded restocked delivered',
);
const STARTING =
  /\b(?:started|start|starts|begin|began|had|have|has|there (?:were|was|are|is)|owned?|with|contains?|holds?|held|own)\b/;
const LEFT = /\b(?:left|remain|remains|remaining|still|free|available|unused|unsold|balance|now|spare)\b/;
const GIVES = /\b(?:g[ai]ve|gives|paid|pays|sent|sends|lent|lends|handed|hands) (me|us|him|her|them|\w+)\b/;

type Sense = -1 | 0 | 1;

/** A first amount, and what comes and goes after it. */
export function solveChanges(facts: readonly Fact[], question: Question): Expression | undefined {
  const terms = mergeRates(facts);
  if (terms.length < 2 || !LEFT.test(question.text) || question.each !== undefined) return undefined;
  if (terms.some(({ per }) => per !== undefined) || /\bleft over\b|\bleftover\b/.test(question.text))
    return undefined;
  const [start, rest] = startOf(terms) ?? [];
  if (!start || !rest || start.percent) return undefined;
  let value = start.expression;
  let inherited: Sense = 0;
  for (const fact of rest) {
    const own = senseOf(fact);
    const sense: Sense = own !== 0 ? own : isListed(fact) ? inherited : 0;
    if (sense === 0) return undefined;
    // `spends 20% and then 30%`: of the first amount or of what is left.
    if (fact.percent && rest.length > 1) return undefined;
    value = combine(sense < 0 ? 'subtract' : 'add', value, fact.expression);
    inherited = sense;
  }
  return value;
}

/** The amount at first: the first one, or what `used 41 of 64` is a part of. */
function startOf(terms: readonly Fact[]): [Fact, readonly Fact[]] | undefined {
  const [first, second] = terms;
  if (!first || !second) return undefined;
  const losesFirst = senseOf(first) < 0;
  if (!losesFirst) return [first, terms.slice(1)];
  const link = second.before.join(' ');
  const isWhole =
    /(?:^|\b)(?:of|out of|of the|of my|from|from my|from a|of a)$/.test(link) || STARTING.test(link);
  return isWhole && terms.length === 2
    ? [second, [{ ...first, before: first.before.length > 0 ? first.before : ['used'] }]]
    : undefined;
}

/** `takes 2,500 and travel 1,300`: what is said of the one before holds here. */
function isListed({ before }: Fact): boolean {
  return (
    before.length <= 1 ||
    before.every((word) => ['and', 'then', 'another', 'also', 'a', 'plus', 'for', 'on', 'in'].includes(word))
  );
}

/** `bought shoes for 89` costs 89, `sold it for 20` brings 20. */
function tradeOf(before: readonly string[]): Sense | undefined {
  const text = before.join(' ');
  if (!/ for(?: only| just)?$/.test(text)) return undefined;
  if (/\b(?:buy|buys|bought)\b/.test(text)) return -1;
  return /\b(?:sell|sells|sold)\b/.test(text) ? 1 : undefined;
}

function senseOf({ before, after, money }: Fact): Sense {
  const behind = after.slice(0, 6).filter((word) => word !== 'how');
  const given = giving(before) ?? tradeOf(before);
  if (given !== undefined) return given;
  const loses =
    before.some((word) => LOSING.has(word)) ||
    behind.some(
      (word, index) =>
        [
          'away',
          'lost',
          'broken',
          'gone',
          'used',
          'sold',
          'eaten',
          'taken',
          'left',
          'leave',
          'occupied',
          'booked',
          'spent',
          'broke',
          'died',
          'rotten',
        ].includes(word) && index <= 4,
    );
  const gains =
    before.some((word) => GAINING.has(word)) ||
    behind.includes('more') ||
    behind.slice(0, 4).some((word) => ['arrive', 'arrived', 'join', 'joined', 'come', 'came'].includes(word));
  if (/\bget off\b|\bgot off\b|\bgets off\b/.test([...before, ...behind].join(' '))) return -1;
  if (/\bget on\b|\bgot on\b|\bgets on\b/.test([...before, ...behind].join(' '))) return 1;
  if (loses && gains) return behind.includes('more') && before.some((word) => LOSING.has(word)) ? -1 : 0;
  if (loses) return money && before.some((word) => word === 'sold' || word === 'sell') ? 1 : -1;
  if (!gains) return 0;
  return money && before.some((word) => /^(?:buy|buys|bought)$/.test(word)) ? -1 : 1;
}

/** `my mum gave me 275` and `she gave Ben 5`; with another giver, whose amount grows is not said. */
function giving(before: readonly string[]): Sense | undefined {
  const text = before.join(' ');
  const found = GIVES.exec(text);
  const receiver = found?.[1];
  if (!found || receiver === undefined) return undefined;
  if (receiver === 'me' || receiver === 'us') return 1;
  const subject = text.slice(0, found.index).trim().split(' ').at(-1) ?? '';
  return receiver === 'away' ||
    ['', 'i', 'we', 'she', 'he', 'they', 'then', 'also', 'later'].includes(subject)
    ? -1
    : 0;
}
