import { combine, numberOf, type Expression } from '../arithmetic/expression';
import type { Fact } from './fact';
import type { Question } from './question';
import { mergeRates } from './terms';

const BOUGHT = /\b(?:buy|buys|bought|buying|paid|pay|cost|costs|costing|spent|spend|expenses|purchased)\b/;
const SOLD =
  /\b(?:sell|sells|sold|selling|revenue|income|earned|takings|sales|takes? in|took in|resold|resell)\b/;
const APART =
  /\bdifference\b|\bhow (?:much|many|far)(?: \p{L}+)? (?:more|less|fewer|further|longer|taller|older|heavier|cheaper|bigger|higher|faster|missing|short|to go|do i (?:still )?(?:need|have to save))\b|\bhow much (?:more )?(?:do|will|can|did|would) (?:i|we) save\b|\bhow many (?:\p{L}+ )?(?:more )?(?:are|am|is) (?:i |we )?(?:missing|short|still needed)\b|\bhow old\b|\bby how much\b/u;

/** What lies between two amounts. */
export function solveComparison(
  facts: readonly Fact[],
  question: Question,
  text: string,
): Expression | undefined {
  const terms = mergeRates(facts);
  const [first, second] = terms;
  if (!first || !second || terms.length !== 2 || terms.some(({ percent }) => percent)) return undefined;
  if (question.each !== undefined || /\btimes\b|\bpercent/.test(question.text)) return undefined;
  if (/\b(?:profit|gain|loss|make on|lose on)\b/.test(question.text)) return trade(first, second, question);
  if (/\bchange\b/.test(question.text) && !/\bpercent|%/.test(question.text)) return larger(first, second);
  if (!APART.test(question.text) && !/\bdifference\b/.test(question.text)) return undefined;
  if (first.per !== second.per || first.money !== second.money) return undefined;
  // `5 more than Tom, who has 12`: a comparison already.
  if (
    /\b(?:more|less|fewer|older|younger|taller|shorter) than\b/.test(text) &&
    !/\bhow (?:much|many)(?: \w+)? (?:more|less|fewer|older|younger|taller|shorter)\b/.test(text)
  )
    return undefined;
  return larger(first, second);
}

function trade(first: Fact, second: Fact, { text }: Question): Expression | undefined {
  const [boughtFirst, boughtSecond] = [first, second].map(isBought);
  const [soldFirst, soldSecond] = [first, second].map(isSold);
  const isForward = boughtFirst === true && soldSecond === true && !soldFirst && !boughtSecond;
  const isBackward = soldFirst === true && boughtSecond === true && !boughtFirst && !soldSecond;
  if (isForward === isBackward) return undefined;
  const [bought, sold] = isForward ? [first, second] : [second, first];
  return /\b(?:loss|lose)\b/.test(text)
    ? combine('subtract', bought.expression, sold.expression)
    : combine('subtract', sold.expression, bought.expression);
}

const isBought = ({ before, after }: Fact): boolean =>
  BOUGHT.test([...before, ...after.slice(0, 0)].join(' '));
const isSold = ({ before }: Fact): boolean => SOLD.test(before.join(' '));

function larger(first: Fact, second: Fact): Expression {
  const [more, less] = first.value >= second.value ? [first, second] : [second, first];
  return combine('subtract', more.expression, less.expression);
}

const OFF =
  /\b(?:off|discount\w{0,3}|reduc\w{1,5}|cheaper|sale|deduct\w{0,4}|drop(?:s|ped)?|f[ae]ll\w{0,3}|decreas\w{1,3}|lower\w{0,3}|less|los(?:es?|t)|marked down|knocked)\b/;
const ON =
  /\b(?:tax|vat|tip|interest|rais\w{1,4}|markup|mark-up|increas\w{1,3}|grow\w{0,3}|grew|rose|rises?|more|gratuity|surcharge|service charge|commission|bonus|goes up|went up|go up|going up|pay rise|rise)\b/;
const PART =
  /\b(?:how (?:much|big)|what(?:'s| is| was| will| would)?)(?: (?:is|was|will|would|are))?(?: be)?(?: (?:the|my|our|that))? ?(?:tip|tax|vat|interest|discount|commission|bonus|gratuity|raise|saving|savings)\b|\b(?:save|tip|interest)\b/;
const WHOLE =
  /\b(?:new|final|total|pay|price|cost|costs|salary|now|after|bill|rent|end up|altogether|including|come to|worth|sale price|owe|all in all|all in|earn)\b/;

/** A percentage and what it is of. */
export function solvePercentage(
  facts: readonly Fact[],
  question: Question,
  text: string,
): Expression | undefined {
  const [first, second] = mergeRates(facts);
  if (!first || !second || mergeRates(facts).length !== 2) return undefined;
  if (/\bpercent|%/.test(question.text)) return asPercentage(first, second);
  if (first.percent === second.percent) return undefined;
  const [share, base] = first.percent ? [first, second] : [second, first];
  if (question.each !== undefined || base.per !== undefined) return undefined;
  const part = combine(
    'multiply',
    numberOf(share.expression.kind === 'percent' ? share.expression.share : 0),
    base.expression,
  );
  const [down, up] = [OFF.test(text), ON.test(text)];
  if (down || up) {
    if (PART.test(question.text)) return part;
    if (down === up || !WHOLE.test(question.text)) return undefined;
    return combine(down ? 'subtract' : 'add', base.expression, share.expression);
  }
  const isOf = /^of\b/.test(share.after.join(' '));
  if (
    !isOf ||
    !/^how (?:many|much)\b/.test(question.text) ||
    /\b(?:not|n't|other|rest|left|remain\w{0,3}|don't|aren't|didn't)\b/.test(question.text)
  )
    return undefined;
  return part;
}

/** `18 out of 24 right, what percentage is that`. */
function asPercentage(part: Fact, whole: Fact): Expression | undefined {
  if (part.percent || whole.percent || part.per !== undefined || whole.per !== undefined) return undefined;
  const isOutOf = /(?:^| )(?:out of|of|of the|out of the)$/.test(
    [...part.after.slice(-3), ...whole.before].join(' '),
  );
  return isOutOf && part.value <= whole.value
    ? combine('multiply', combine('divide', part.expression, whole.expression), numberOf(100))
    : undefined;
}
