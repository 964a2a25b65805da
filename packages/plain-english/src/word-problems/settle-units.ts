import { type Fact, namesOf } from './fact';
import type { Question, Story } from './question';
import { AMOUNT, EACH, isMeasure, isMoney, isOpen, isTime, MONEY, relate, UNKNOWN } from './units';

/** The amounts of a story with the units that its question gives them. */
export function settleUnits({ facts, question }: Story): Fact[] {
  const asksMoney = isMoney(question.unit.of[0]);
  const isAsked = ({ at }: Fact): boolean => at > question.from && at <= question.to + 1;
  const counted = facts.map((fact) =>
    isAsked(fact) && isCount(fact) ? { ...fact, unit: { of: [EACH], per: [] } } : fact,
  );
  const isMoneyStory = asksMoney || counted.some(({ unit }) => isMoney(unit.of[0]));
  return counted.map((fact) => {
    const { of } = fact.unit;
    // `a coat costs 75` is a rate only where coats are counted; without them it is the amount.
    const isRate = !fact.isSingle || fact.unit.per.some((name) => isCounted(name, fact, counted, question));
    const per = isRate ? fact.unit.per : [];
    const isBare = of.length === 1 && isOpen(of[0]) && !per.includes(UNKNOWN);
    // Where money is asked for, a number for each thing is a price.
    const isPrice =
      isMoneyStory && isBare && (per.some((name) => !isTime(name)) || (of[0] === AMOUNT && asksMoney));
    const before = isAsked(fact) ? '' : fact.before;
    return { ...fact, before, unit: { of: isPrice ? [MONEY] : of, per } };
  });
}

/** `what do 5 cost`: a number in the question is how many are asked about. */
const isCount = ({ unit, after }: Fact): boolean =>
  unit.of[0] === UNKNOWN &&
  unit.per.length === 0 &&
  /^(?:have |has )?(?:costs?|weigh|need|take|be)\b|^of them\b/.test(after);

/** True where the question or another amount counts the thing. */
function isCounted(name: string, fact: Fact, facts: readonly Fact[], question: Question): boolean {
  const others = facts.filter((other) => other !== fact);
  const names = [
    ...question.unit.of,
    ...question.unit.per,
    ...others.flatMap((other) => (other.isSingle ? other.unit.of : namesOf(other))),
  ];
  return names.some(
    (other) =>
      other === name || (!isMeasure(other) && other !== UNKNOWN && (relate(other, name)?.cost ?? 1) < 0.1),
  );
}
