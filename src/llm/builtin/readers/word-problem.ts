import { compileExpressions } from '../arithmetic/compile';
import { combine, foldAll, numberOf, type Expression } from '../arithmetic/expression';
import { hasTool, type ReadContext, type Reading } from '../plan/reading';
import { matchQuantity } from '../text/quantity';
import { stem } from '../text/stem';
import type { Token, TokenText } from '../text/token';

/** A number in a story, with the words around it. */
interface Fact {
  readonly value: number;
  readonly unit: string;
  /** The words since the fact before. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));
const LOSING = words(
  'give gave gives giving away lose lost loses eat eats ate eaten spend spent spends sell sold sells use used uses remove removed drop dropped break broke throw threw leave left pay paid donate donated drink drank took take takes gone die died withdraw withdrew consumed fell',
);
const GAINING = words(
  'buy bought buys get got gets find found finds receive received earn earned earns gain gained win won add added adds pick picked collect collected more another deposit deposited saved make made bake baked borrowed came join joined arrive arrived',
);
const EACH = words('each every per apiece');
const TOTAL = words('total altogether sum combined all overall spend cost costs pay spent');
const LEFT = words('left remain remains remaining still now have has over');
const SHARERS = words(
  'people persons friends kids children students guests workers players us men women boys girls members employees teams groups of parts boxes bags person',
);
const QUESTION =
  /\bhow (?:many|much|far|long|old)\b|\bwhat(?:'s| is|s| does| do)\b|\bin total\b|\baltogether\b/;

/** Reads a short story with a question, such as `I have 12 apples and give away 5, how many are left?`. */
export function readWordProblem(clause: TokenText, context: ReadContext): Reading | undefined {
  if (!hasTool(context, 'calculator')) return undefined;
  const { tokens } = clause;
  if (tokens.length > 80 || tokens.some(({ kind }) => !['word', 'number', 'symbol'].includes(kind)))
    return undefined;
  const lower = tokens
    .map((token) => token.lower)
    .join(' ')
    .replaceAll(" 's", "'s");
  if (!QUESTION.test(lower)) return undefined;
  const { facts, rest } = factsOf(tokens);
  const asked = [...(facts.at(-1)?.after ?? []), ...rest];
  const expression = facts.length < 2 || facts.length > 6 ? undefined : solve(facts, asked, lower);
  if (!expression) return undefined;
  const steps = compileExpressions([expression], {
    firstStep: 0,
    earlier: () => '',
    readField: () => ({ toolName: 'json_reader', args: {} }),
  });
  return { score: 1.25, steps };
}

function factsOf(tokens: readonly Token[]): { facts: Fact[]; rest: string[] } {
  const facts: Fact[] = [];
  let before: string[] = [];
  for (let at = 0; at < tokens.length;) {
    const quantity = matchQuantity(tokens, at, { joinAnd: true });
    const token = tokens[at];
    const isOne = token?.lower === 'one' && facts.length === 0;
    if (quantity && !quantity.percent && !isOne) {
      const after = tokens.slice(quantity.next, quantity.next + 4).map(({ lower }) => lower);
      facts.push({ value: quantity.value, unit: stem(after[0] ?? ''), before, after });
      before = [];
      at = quantity.next;
    } else {
      before.push(token?.lower ?? '');
      at++;
    }
  }
  return { facts, rest: before };
}

function has(list: readonly string[], set: ReadonlySet<string>): boolean {
  return list.some((word) => set.has(word));
}

function solve(facts: readonly Fact[], asked: readonly string[], text: string): Expression | undefined {
  return (
    rate(facts, text) ??
    equalShares(facts, asked, text) ??
    changes(facts, asked) ??
    priceTotal(facts, asked) ??
    plainTotal(facts, asked)
  );
}

/** `a box holds 24 bottles, how many in 15 boxes`: so many of one to each of the other. */
function rate(facts: readonly Fact[], text: string): Expression | undefined {
  const [first, second] = facts;
  if (!first || !second || facts.length !== 2) return undefined;
  const single = /\b(?:a|an|each|every|one|per) (\w+)/g;
  for (const [, noun = ''] of text.matchAll(single)) {
    if (noun === first.unit && noun !== '') continue;
    const holder = stem(noun);
    // The second number counts the things of which one holds the first.
    if (holder !== '' && (second.unit === holder || (first.unit === holder && !has(first.before, LOSING)))) {
      if (/\bper person\b|\beach (?:get|pay|person|of)\b/.test(text)) return undefined;
      return combine('multiply', numberOf(first.value), numberOf(second.value));
    }
  }
  return undefined;
}

/** `the bill is 138, we are 6, how much does each pay`. */
function equalShares(facts: readonly Fact[], asked: readonly string[], text: string): Expression | undefined {
  const [first, second] = facts;
  if (!first || !second || facts.length !== 2) return undefined;
  if (!has(asked, EACH) || !/\b(?:how (?:many|much)|what)\b/.test(text)) return undefined;
  const firstShares =
    first.after.slice(0, 2).some((word) => SHARERS.has(word)) ||
    /\b(?:we're|we are|are|of us)\b/.test(first.before.join(' '));
  const secondShares = second.after.slice(0, 2).some((word) => SHARERS.has(word));
  if (firstShares === secondShares) return undefined;
  const [whole, count] = firstShares ? [second, first] : [first, second];
  return combine('divide', numberOf(whole.value), numberOf(count.value));
}

/** A first amount, and what comes and goes after it. */
function changes(facts: readonly Fact[], asked: readonly string[]): Expression | undefined {
  const [first, ...rest] = facts;
  if (!first || !(has(asked, LEFT) || has(asked, words('now')))) return undefined;
  let value: Expression = numberOf(first.value);
  for (const { value: amount, before, after } of rest) {
    const loses =
      has(before, LOSING) ||
      after.slice(0, 3).some((word) => ['away', 'lost', 'broken', 'gone'].includes(word));
    const gains = has(before, GAINING) || after.includes('more');
    if (loses === gains && !(loses && before.includes('away'))) return undefined;
    value = combine(loses ? 'subtract' : 'add', value, numberOf(amount));
  }
  return value;
}

/** `3 shirts at $15 each and a hat for $12`. */
function priceTotal(facts: readonly Fact[], asked: readonly string[]): Expression | undefined {
  const terms: Expression[] = [];
  let priced = false;
  for (let at = 0; at < facts.length; at++) {
    const fact = facts[at];
    const next = facts[at + 1];
    if (!fact) break;
    if (next && isEach(next)) {
      terms.push(combine('multiply', numberOf(fact.value), numberOf(next.value)));
      priced = true;
      at++;
    } else terms.push(numberOf(fact.value));
  }
  if (!priced || (terms.length > 1 && !has(asked, TOTAL))) return undefined;
  return foldAll('add', terms);
}

function isEach({ after, before }: Fact): boolean {
  return after.slice(0, 3).some((word) => EACH.has(word)) || before.slice(-3).some((word) => EACH.has(word));
}

function plainTotal(facts: readonly Fact[], asked: readonly string[]): Expression | undefined {
  const question = asked.join(' ');
  const total = /\b(?:total|altogether|add up|adds up|combined|in all|all together|sum)\b/.test(question);
  if (
    !total ||
    facts.some(({ before, after }) => has(before, words('gave give lost ate sold')) || has(after, EACH))
  )
    return undefined;
  return foldAll(
    'add',
    facts.map(({ value }) => numberOf(value)),
  );
}
