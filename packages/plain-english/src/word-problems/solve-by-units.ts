import type { Expression } from '../arithmetic/expression';
import { isKindOf } from '../recall/kinds';
import { chooseWay, foldChanges, termOf } from './choose';
import { MAX_TERMS } from './combine';
import type { Fact } from './fact';
import { solveChange } from './payment';
import type { Question, Story } from './question';
import { solveRemainder } from './remainder';
import { asksOpposite } from './shares';
import { signsOf } from './signs';
import type { Term } from './term';
import { isMeasure, isMoney, isOpen, UNKNOWN } from './units';

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
export function solveByUnits(story: Story): Expression | undefined {
  const { facts, question, text } = story;
  if (facts.length === 0 || facts.length > MAX_TERMS) return undefined;
  const { text: asked } = question;
  const change = solveChange(story, solveByUnits);
  if (change) return change;
  if (BEFORE.test(asked)) return undefined;
  const isOpposite = asksOpposite(story.statement, asked);
  const isMissing =
    facts.length > 2 && /\bmore\b.*\b(?:need|needs|needed|collect|raise|save|reach|find)\b/.test(asked);
  // `I had 120 and now there's 74`
  const isApart =
    APART.test(asked) || (facts.length === 2 && /\bnow\b/.test(`${facts[1]?.before} ${facts[1]?.after}`));
  const isOfKind = areKinds(facts, asked);
  const isTotal = TOTAL.test(asked) || isOfKind;
  const signs = signsOf(facts);
  const isAmount = (index: number): boolean => facts[index]?.unit.per.length === 0;
  const signed = facts.map((fact, index) => termOf(fact, signs[index]));
  // `bought it for 140, spent 35 on it, sold it for 230`: what came in less what went out.
  const isTrade =
    /\b(?:profit|gain)\b/.test(asked) &&
    signs.includes(1) &&
    signs.every((sign, index) => isAmount(index) && (sign ?? 0) !== 0);
  if (isTrade) return chooseWay(signed, question, { sum: 0.05 });
  if (isApart && !isTotal) {
    const terms = facts.map((fact) => termOf(fact));
    const apart = chooseWay(terms, question, { isApart });
    if (apart) return apart;
  }
  const isRest = REST.test(text) || isOpposite;
  if (isMissing || isRest || LEFT.test(asked)) return solveRemainder(story, isOpposite || isMissing, isRest);
  if (isApart && !isTotal) return undefined;
  // Without an amount that something is taken from, what is sold or eaten is counted itself.
  const hasLoss = signs.findIndex((sign, index) => (sign ?? 0) < 0 && isAmount(index)) > 0;
  const asksCost = COST.test(asked);
  const isSigned =
    (hasLoss || signs.includes(1)) &&
    (NOW.test(asked) || isTotal || (/\bhow many\b|\bhave\b/.test(asked) && !asksCost));
  const isSaid = hasLoss && signs.every((sign, index) => index === 0 || sign !== 0);
  const sum = sumCost(story, isTotal, isSigned, isSaid);
  const isBare = facts.every(({ unit }) => unit.per.length === 0 && isOpen(unit.of[0]));
  if (isBare && facts.length > 1 && (sum ?? 1) > 0.2) return undefined;
  const isMoneyStory = asksCost || (isTotal && !/\b(?:are there|in the end)\b/.test(asked));
  // Where a story takes away and adds, it has to say so of each amount after the first.
  const isUnclear = signs.some((sign, index) => index > 0 && sign === 0 && isAmount(index));
  const isChanging = isSigned && !isMoneyStory && (hasLoss || NOW.test(asked));
  if (isChanging && signs.some((sign) => sign !== 0) && isUnclear) return undefined;
  // `20 came and 5 left, how many in all`: whether those who left count is not said.
  if (isMoneyStory && !asksCost && hasLoss && signs.some((sign) => sign !== -1)) return undefined;
  const changed = isChanging && isSaid ? foldChanges(signed, question) : undefined;
  if (changed) return changed;
  const terms =
    hasLoss && isSigned && !isMoneyStory ? signed : facts.map((fact) => termOf(fact, deducted(fact)));
  const ofAny = { ...question, unit: { of: [UNKNOWN], per: question.unit.per } };
  return chooseWay(terms, isOfKind ? ofAny : question, { sum, acrossThings: isTotal });
}

/** What a sum has to assume; undefined where the story asks for none. */
function sumCost(
  { facts, question, text }: Story,
  isTotal: boolean,
  isSigned: boolean,
  isSaid: boolean,
): number | undefined {
  // `out of 40 I got 34`: one is part of the other.
  if (/\bout of (?:the |my |our )?#/.test(text)) return undefined;
  if (isTotal || (isSigned && isSaid)) return 0.05;
  if (isSigned) return 0.2;
  const [ofMoney, ofMeasures] = [isMoney, isMeasure].map((is) => facts.some(({ unit }) => is(unit.of[0])));
  if (COST.test(question.text) || (JOINED.test(text) && ofMoney)) return 0.3;
  return facts.length > 2 && ofMeasures ? 0.6 : undefined;
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
      !isMeasure(unit.of[0]) &&
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
