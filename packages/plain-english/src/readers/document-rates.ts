import { phraseOf, type Asked } from '../json/asked';
import { addUp, calculate, type PlannedStep } from '../plan/step';
import { stem } from '../text/stem';
import { matchQuantity } from '../text/quantity';
import { lowerAt } from '../text/token';
import type { Operand } from './document-operands';

const LESS = /^(?:less|fewer|lower|smaller|cheaper|shorter|younger|colder|cooler|lighter|slower|earlier)$/;

/** Calculations that no operation is named for: differences of two values, conversions of units, and prices at a rate. */
export function readRate(asked: Asked, operands: readonly Operand[]): readonly PlannedStep[] | undefined {
  const numeric = operands.filter(({ value }) => value !== undefined);
  return (
    difference(asked, numeric) ??
    conversion(asked, numeric) ??
    atRate(asked, numeric) ??
    amountsOfEach(asked, numeric) ??
    sumOfNamed(asked, numeric)
  );
}

/** `how much warmer is tomorrow's high than today's` */
function difference({ words }: Asked, operands: readonly Operand[]): readonly PlannedStep[] | undefined {
  const than = words.findIndex(({ text }) => text === 'than');
  const how = words.findIndex(
    ({ text }, at) => text === 'how' && /^(?:much|many)$/.test(words[at + 1]?.text ?? ''),
  );
  const comparative = words.slice(how, than).find(({ text }) => /^(?:more|less)$|er$/.test(text));
  const [one, other, ...rest] = operands;
  if (how === -1 || than < how || !comparative || !one || !other || rest.length > 0) return undefined;
  if (one.value === undefined || other.value === undefined || one.from > than || other.from < than)
    return undefined;
  return LESS.test(comparative.text)
    ? [calculate('subtract', other.value, one.value)]
    : [calculate('subtract', one.value, other.value)];
}

interface Amount {
  readonly value: number;
  /** The stem of the word after it. */
  readonly unit: string;
  readonly at: number;
}

function amountsOf({ tokens }: Asked): readonly Amount[] {
  const amounts: Amount[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const found = matchQuantity(tokens, at);
    if (!found || found.percent) continue;
    amounts.push({ value: found.value, unit: stem(lowerAt(tokens, found.next)), at });
    at = found.next - 1;
  }
  return amounts;
}

/** `1 km is 0.62 miles`: the value is in the first unit, unless that is the one it is to be brought into. */
function conversion(asked: Asked, operands: readonly Operand[]): readonly PlannedStep[] | undefined {
  const amounts = amountsOf(asked);
  const [one, rate, ...rest] = amounts;
  const [operand] = operands;
  if (!one || !rate || rest.length > 0 || one.value !== 1 || operand?.value === undefined) return undefined;
  const isTarget = (words: RegExp, unit: string): boolean =>
    asked.tokens.some(({ lower }, at) => words.test(lower) && stem(lowerAt(asked.tokens, at + 1)) === unit);
  const direct = /^(?:to|into|want|need|many)$/;
  const isBack =
    isTarget(direct, one.unit) ||
    (isTarget(/^in$/, one.unit) && !isTarget(/^(?:to|into|want|need|many|in)$/, rate.unit));
  return [calculate(isBack ? 'divide' : 'multiply', operand.value, rate.value)];
}

/** `at 0.31 per kWh`, or an amount of what a price is per: `40 litres` and a price per litre. */
function atRate(asked: Asked, operands: readonly Operand[]): readonly PlannedStep[] | undefined {
  const amounts = amountsOf(asked);
  const [amount, ...rest] = amounts;
  const [operand, ...others] = operands;
  if (
    !amount ||
    rest.length > 0 ||
    operand?.value === undefined ||
    others.some(({ value }) => value !== operand.value)
  )
    return undefined;
  const { tokens } = asked;
  const isRate =
    tokens[amount.at - 1]?.lower === 'at' && /^(?:per|each|a|an|every)$/.test(lowerAt(tokens, amount.at + 1));
  const isOfUnit = amount.unit.length > 1 && tokens.some(({ lower }) => lower === 'per' || lower === 'each');
  const isExchange =
    /\b(?:rate|rates|exchange)\b/.test(phraseOf(asked)) &&
    /\b(?:convert|how many|how much|worth)\b/.test(phraseOf(asked));
  return isRate || isOfUnit || isExchange ? [calculate('multiply', operand.value, amount.value)] : undefined;
}

/** `two adults and three children`, where the document has a price for each. */
function amountsOfEach(asked: Asked, operands: readonly Operand[]): readonly PlannedStep[] | undefined {
  const amounts = amountsOf(asked);
  if (amounts.length === 0 || amounts.length !== operands.length) return undefined;
  const products = operands.map(({ from, value = 0 }) => {
    const starts = [from, ...(operands.length === 1 ? asked.selectors.map((selector) => selector.from) : [])];
    const amount = amounts.find(({ at }) => starts.some((start) => asked.words[start]?.token === at + 1));
    return amount && calculate('multiply', value, amount.value);
  });
  if (!products.every((product) => product !== undefined)) return undefined;
  const results = products.map((_, at) => `{{${at + 1}}}`);
  return [...products, ...addUp(results, products.length)];
}

/** `total goals, home goals and away goals added` */
function sumOfNamed(asked: Asked, operands: readonly Operand[]): readonly PlannedStep[] | undefined {
  const { words } = asked;
  const isSum =
    words.some(({ text }) => /^(?:sum|together|combined|added|altogether)$/.test(text)) ||
    /\bin (?:all|total)\b/.test(phraseOf(asked));
  const isList = operands.every(
    ({ from }, at) =>
      at === 0 ||
      words[from]?.starts === true ||
      ['and', 'plus', 'the'].includes(words[from - 1]?.text ?? ''),
  );
  if (operands.length < 2 || !isSum || !isList || amountsOf(asked).length > 0) return undefined;
  return addUp(operands.map(({ value = 0 }) => value));
}
