import type { Expression } from '../arithmetic/expression';
import { isKindOf } from '../recall/kinds';
import { baseForm } from '../text/base-forms';
import { stem } from '../text/stem';
import { chooseWay, termOf } from './choose';
import { MAX_TERMS } from './combine';
import { foldChanges } from './changes';
import type { Fact } from './fact';
import { solveChange } from './payment';
import type { Question } from './question';
import { solveRemainder } from './remainder';
import { asksOpposite } from './shares';
import { signsOf } from './signs';
import type { Term } from './term';
import { AMOUNT, isMeasure, isMoney, isTime, UNKNOWN } from './units';

const LEFT =
  /\b(?:left|remain\w*|still|free|to go|(?<!'s |is )over(?! (?:an?|the|one|\d|#))|rest|available|unused|unsold|spare|back|change|missing|short|others?|balance|need more|needed more|(?:are|is|stay|be) empty|stay\w*|keeps?)\b/;

const APART =
  /\b(?:difference|further|more|less|fewer|sav(?:e|es|ed|ing|ings)|profit|gain|loss|change|rise|lose|drop(?:ped)?|fall|f[ae]ll|gone up|went up|grow|grew|increase|decrease|climb|cool|warm|sink|rise|gap|apart|over(?= by|$)|short|missing)\b|\bhow (?:far|many \w+) (?:did|have) (?:we|i|you|he|she|they) (?:drive|driven|travel|gone|go|cover)\b|\b(?:dear|heav|light|cheap|old|young|tall|short|long|warm|cool|cold|hot|fast|slow|high|low|larg|bigg|small|great|wid|deep|new|clos|expens)i?er\b|\bby how\b/;

const TOTAL =
  /\b(?:total|altogether|in all|all together|sum|add up|adds up|combined|all in|grand total|are there(?! in #)|overall|in the end|in sum|it all|together)\b/;

const NOW = /\b(?:now|end up|then|afterwards?|at the end|final(?:ly)?)\b/;

const JOINED =
  /\b(?:plus|minus|also|another|extra|more|additional|flat|fixed|fee|shipping|delivery|fare|basic|base|on top|then|call-out|once|puts? in|with)\b/;

const COST = /\b(?:pay|cost|costs|owe|charge|bill|spend|come to|budget|fare|price|expensive|set back)\b/;

/** What was before the changes of a story is not what they come to. */
const BEFORE =
  /\b(?:before(?! (?:tax|vat|tip|discount|the discount))|originally|at first|(?:at|in) the (?:start|beginning)|to (?:begin|start) with)\b/;

const REST = /\bthe (?:rest|others|remaining|remainder)\b/;

export const asksDifference = ({ text }: Question): boolean => APART.test(text);

/** The calculation by the units of the amounts: what is asked for says in which unit it ends. */
export function solveByUnits(
  facts: readonly Fact[],
  question: Question,
  text: string,
): Expression | undefined {
  if (facts.length === 0 || facts.length > MAX_TERMS) return undefined;
  const { text: asked } = question;
  const change = solveChange(facts, question, (rest, cost) => solveByUnits(rest, cost, text));
  if (change) return change;
  const isOpposite = asksOpposite(text.replace(asked, ' '), asked);
  const isMissing =
    facts.length > 2 && /\bmore\b.*\b(?:need|needs|needed|collect|raise|save|reach|find)\b/.test(asked);
  const isLeft = isMissing || LEFT.test(asked) || REST.test(text) || isOpposite;
  // `I had 120 and now there's 74`
  const isApart =
    APART.test(asked) ||
    (facts.length === 2 &&
      /\bnow\b/.test(`${facts[1]?.before} ${facts[1]?.after}`) &&
      !/\bnow\b/.test(asked));
  if (BEFORE.test(asked)) return undefined;
  const isOfKind = areKinds(facts, asked);
  const isTotal = TOTAL.test(asked) || isOfKind;
  const trades = signsOf(facts);
  // `bought it for 140, spent 35 on it, sold it for 230`: what came in less what went out.
  const isTrade =
    /\b(?:profit|gain)\b/.test(asked) &&
    trades.includes(1) &&
    facts.every(({ unit }, index) => unit.per.length === 0 && (trades[index] ?? 0) !== 0);
  if (isTrade)
    return chooseWay(
      facts.map((fact, index) => termOf(fact, trades[index] ?? 0)),
      question,
      { sum: 0.05, acrossThings: false, isCount: false, per: question.unit.per, isApart: false },
    );
  if (isApart && !isTotal) {
    const apart = chooseWay(
      facts.map((fact) => termOf(fact, 0)),
      question,
      { isApart, acrossThings: false, isCount: false, per: question.unit.per },
    );
    if (apart) return apart;
  }
  if (isLeft) return solveRemainder(facts, question, isOpposite || isMissing, REST.test(text) || isOpposite);
  if (isApart && !isTotal) return undefined;
  const signs = signsOf(facts);
  // Without an amount that something is taken from, what is sold or eaten is counted itself.
  const firstLoss = signs.findIndex((sign, index) => (sign ?? 0) < 0 && facts[index]?.unit.per.length === 0);
  const hasLoss = firstLoss > 0;
  const repeats = facts.some(({ before }) => repeatsVerb(before, asked));
  const isSigned =
    (hasLoss || repeats || signs.some((sign) => sign === 1)) &&
    (NOW.test(asked) || isTotal || (/\bhow many\b|\bhave\b/.test(asked) && !COST.test(asked)));
  const isSaid = hasLoss && signs.every((sign, index) => index === 0 || sign !== 0);
  // `out of 40 I got 34`: one is part of the other.
  const sum = /\bout of (?:the |my |our )?#/.test(text)
    ? undefined
    : isTotal || (isSigned && isSaid)
      ? 0.05
      : isSigned
        ? 0.2
        : COST.test(asked) || (JOINED.test(text) && facts.some(({ unit }) => isMoney(unit.of[0] ?? '')))
          ? 0.3
          : facts.length > 2 && facts.some(({ unit }) => isMeasure(unit.of[0] ?? ''))
            ? 0.6
            : undefined;
  const isBare = facts.every(
    ({ unit }) => unit.per.length === 0 && (unit.of[0] === UNKNOWN || unit.of[0] === AMOUNT),
  );
  if (isBare && facts.length > 1 && (sum ?? 1) > 0.2) return undefined;
  const isMoneyStory = COST.test(asked) || (isTotal && !/\b(?:are there|in the end)\b/.test(asked));
  // Where a story takes away and adds, it has to say so of each amount after the first.
  const isUnclear = signs.some(
    (sign, index) => index > 0 && sign === 0 && facts[index]?.unit.per.length === 0,
  );
  const isChanging = isSigned && !isMoneyStory && (hasLoss || NOW.test(asked));
  if (isChanging && signs.some((sign) => sign !== 0) && isUnclear) return undefined;
  // `20 came and 5 left, how many in all`: whether those who left count is not said.
  if (isMoneyStory && !COST.test(asked) && hasLoss && signs.some((sign) => sign !== -1)) return undefined;
  // `35 a month for my phone and 20 for internet`: whether the other one is so much a month is not said.
  const isCut = facts.some(
    ({ before, after, unit }, index) =>
      before === '' &&
      /^for\b/.test(after) &&
      index > 0 &&
      unit.per.length === 0 &&
      isMoneyLike(unit.of[0]) &&
      (facts[index - 1]?.unit.per ?? []).some(isTime),
  );
  if (isCut) return undefined;
  const changed =
    isChanging && isSaid
      ? foldChanges(
          facts.map((fact, index) => termOf(fact, signs[index] ?? 0)),
          question,
        )
      : undefined;
  if (changed) return changed;
  const terms = facts.map((fact, index) =>
    termOf(fact, hasLoss && isSigned && !isMoneyStory ? (signs[index] ?? 0) : deducted(fact)),
  );
  return chooseWay(
    terms,
    isOfKind ? { ...question, unit: { of: [UNKNOWN], per: question.unit.per } } : question,
    {
      sum,
      acrossThings: isTotal,
      isCount: question.isCount && question.unit.of[0] === UNKNOWN,
      per: question.unit.per,
      isApart: false,
    },
  );
}

const isMoneyLike = (name = ''): boolean => name === UNKNOWN || name === AMOUNT || isMoney(name);

/** `sold 120 … how many did it sell`: what is asked for is what was said. */
function repeatsVerb(before: string, asked: string): boolean {
  const words = asked.split(' ').map(stem);
  return before
    .split(' ')
    .some((word) => (baseForm(word) !== word || /..ed$/.test(word)) && words.includes(stem(baseForm(word))));
}

/** `18 apples and 7 pears, how many pieces of fruit`: all of them are what is asked for. */
function areKinds(facts: readonly Fact[], asked: string): boolean {
  const kind = /\bhow many (?:pieces of )?(\w+)/.exec(asked)?.[1];
  if (kind === undefined || facts.length < 2) return false;
  return facts.every(({ unit, after }) => {
    const [noun = ''] = after.split(' ');
    return (
      unit.per.length === 0 &&
      unit.of.length === 1 &&
      !isMeasure(unit.of[0] ?? '') &&
      noun !== '' &&
      isKindOf(noun, kind)
    );
  });
}

/** `minus a 10 euro voucher` takes away from what is paid. */
function deducted({ before, after }: Fact): Term['sign'] {
  return /\b(?:minus|less|deduct\w*)\b/.test(before) ||
    /\b(?:voucher|discount|off|refund|coupon|credit|deposit back)\b/.test(after)
    ? -1
    : 1;
}
