import type { Fact } from './fact';
import type { Question } from './question';
import type { Unit } from './unit';
import { convertLength, EACH, isMeasure, isTime, measureOf, relate, UNKNOWN } from './units';

/** What has to be assumed for an amount of this unit to be the answer, and how it is expressed in the unit asked for. */
export function fitOf(unit: Unit, question: Question): { ratio: number; cost: number } | undefined {
  const { of, per } = question.unit;
  if (unit.of.length !== of.length && !((of[0] === UNKNOWN || of[0] === EACH) && unit.of.length === 0))
    return undefined;
  if (unit.of.length === 0 && of[0] === UNKNOWN && !/\bhow many\b/.test(question.text)) return undefined;
  if (unit.per.length > 0 !== per.length > 0 && !(per.length > 0 && isTime(per[0] ?? ''))) return undefined;
  let [ratio, cost] = [1, 0];
  const kinds = question.kinds;
  if (kinds) {
    if (!kinds.some((kind) => relate(unit.of[0] ?? '', kind))) return undefined;
  } else {
    const whole = unit.per.length === 0 ? convertLength(unit.of[0] ?? '', of[0] ?? '') : undefined;
    const above =
      matchAll(unit.of, of, question.isCount) ??
      (whole === undefined ? undefined : { ratio: whole, cost: 0.15 });
    if (!above) return undefined;
    [ratio, cost] = [above.ratio, above.cost];
  }
  if (unit.per.length === 0) return per.length === 0 ? { ratio, cost } : undefined;
  const periods = unit.per.length > per.length ? unit.per.filter((name) => !isTime(name)) : unit.per;
  // So much for each of something is not so much a year.
  if (periods.includes(UNKNOWN) && per.some(isMeasure)) return undefined;
  const below = matchAll(periods, per);
  return below && { ratio: ratio / below.ratio, cost: cost + below.cost };
}

function matchAll(
  from: readonly string[],
  to: readonly string[],
  isCount = false,
): { ratio: number; cost: number } | undefined {
  if (from.length === 0) return { ratio: 1, cost: isCount ? 0.1 : 0.4 };
  if (from.length !== to.length) return undefined;
  let [ratio, cost] = [1, 0];
  for (const [index, name] of from.entries()) {
    const relation = relate(name, to[index] ?? '');
    if (!relation) return undefined;
    ratio *= relation.ratio;
    cost += relation.cost / 2;
  }
  return { ratio, cost };
}

/** True where the question or another amount counts the thing. */
export function isCounted(name: string, fact: Fact, facts: readonly Fact[], question: Question): boolean {
  const others = facts.filter((other) => other !== fact);
  const names = [
    ...question.unit.of,
    ...question.unit.per,
    ...others.flatMap(({ unit, isSingle }) => (isSingle ? unit.of : [...unit.of, ...unit.per])),
  ];
  if (question.kinds?.some((kind) => relate(kind, name)) === true) return true;
  return (
    names.some(
      (other) =>
        other === name || (!isMeasure(other) && other !== UNKNOWN && (relate(other, name)?.cost ?? 1) < 0.1),
    ) ||
    (measureOf(name) !== undefined && names.some((other) => relate(other, name) && other !== UNKNOWN))
  );
}
