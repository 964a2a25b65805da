import { combine, evaluate, type Expression, numberOf, scaled } from '../arithmetic/expression';
import type { Fact } from './fact';
import type { Question, Story } from './question';
import { relate } from './units';

const MULTIPLE =
  /(?:^|\s)(twice|double|half|triple|three times|# times|#) (?:as (?:many|much|old|long|tall|heavy|far|big|fast|expensive)|the|that)\b/;
/** `8 cm taller` by itself is more than what was said before; `5 more` is so only with a `than`. */
const OFFSET =
  /(?:^| )(?:(?:more|fewer|less|further)(?: \w+){0,2} than|(older|younger|taller|shorter|longer|heavier|lighter|cheaper|dearer|bigger|smaller)(?: \w+){0,2} than|(?:older|younger|taller|shorter|longer|heavier|lighter|cheaper|dearer|bigger|smaller|less|fewer)$)/;
const TOTAL = /\b(?:altogether|total|together|both|in all|combined|between them)\b/;
const FACTORS: Readonly<Record<string, number>> = {
  twice: 2,
  double: 2,
  half: 0.5,
  triple: 3,
  'three times': 3,
};
const LESS = /\b(?:fewer|less|younger|shorter|lighter|cheaper|smaller)\b/;
const THAN = /(?:^|\s)#(?: \w+){0,3} (?:more|fewer|less|further|\w+er) (?:\w+ ){0,2}than\b/;

/** True where only the other amount gives the one that is asked for. */
export const hasRelation = (text: string, asked: string): boolean =>
  MULTIPLE.test(text) || (THAN.test(text) && !/\bhow (?:much|many)\b.*\bthan\b/.test(asked));

/** One amount, and another that is a multiple of it, or more by a difference. */
export function solveRelation({ facts, question, text }: Story): Expression | undefined {
  const related = multipleOf(facts, text) ?? offsetOf(facts, question);
  if (!related) return undefined;
  const [base, other] = related;
  if (TOTAL.test(question.text)) return combine('add', base, other);
  if (!/\bhow (?:many|much) more\b/.test(question.text)) return other;
  return (evaluate(other) ?? 0) < (evaluate(base) ?? 0)
    ? combine('subtract', base, other)
    : combine('subtract', other, base);
}

function multipleOf(facts: readonly Fact[], text: string): [Expression, Expression] | undefined {
  const word = MULTIPLE.exec(text)?.[1];
  if (word === undefined) return undefined;
  const times = facts.find(({ after, isShare }) =>
    isShare ? /^as \w+/.test(after) : /^times (?:as|the|that)\b/.test(after),
  );
  const [base, ...others] = facts.filter((fact) => fact !== times);
  if (!base || others.length > 0 || base.isShare || (word.startsWith('#') && !times)) return undefined;
  // `she has twice as many … she has 45` gives the other one.
  const at = MULTIPLE.exec(text)?.index ?? 0;
  const [subject = ''] = text.slice(0, at).split(' ').slice(-2);
  if (base.before.startsWith(`${subject} `) && at < text.lastIndexOf(base.before)) return undefined;
  const factor = times?.value ?? FACTORS[word] ?? 1;
  const other = combine('multiply', base.expression, numberOf(factor));
  return [base.expression, other];
}

function offsetOf(facts: readonly Fact[], question: Question): [Expression, Expression] | undefined {
  const offset = facts.find(({ after, isShare }) => !isShare && OFFSET.test(after));
  const base = facts.find((fact) => fact !== offset);
  if (!offset || !base || base.isShare) return undefined;
  const isOfBefore = / than (?:her|him|it|that|me|them|us)$/.test(offset.after);
  const than = / than (?:her |his |my |the )?(?:\w+ )?(\w+)$/.exec(offset.after)?.[1];
  // `12 more than Jo, how many has Jo`
  const isInverse = than !== undefined && question.text.split(' ').includes(than) && base.at < offset.at;
  const isTold = isOfBefore
    ? base.at < offset.at
    : isInverse || than === undefined
      ? base.at < offset.at && !/ than\b/.test(offset.after)
      : `${base.before} ${base.after}`.split(' ').includes(than) ||
        (base.clause === offset.clause + 1 && /^(?:who|which)\b|\b(?:has|had|is|read)$/.test(base.before));
  const ratio = relate(offset.unit.of[0], base.unit.of[0])?.ratio;
  if (!isTold || ratio === undefined) return undefined;
  const by = scaled(offset.expression, ratio);
  return [
    base.expression,
    combine(LESS.test(offset.after) !== isInverse ? 'subtract' : 'add', base.expression, by),
  ];
}
