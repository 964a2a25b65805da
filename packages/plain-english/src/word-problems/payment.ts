import { combine, evaluate, type Expression } from '../arithmetic/expression';
import type { Fact } from './fact';
import type { Story } from './question';
import { isMoney, MONEY } from './units';

const CHANGE = /\bchange\b|\b(?:get|got|gets|receive|given|give) (?:\w+ )?back\b/;
const HANDED =
  /\b(?:g[ai]ve|hand(?:ed)?|hands|pa(?:y|ys|id|ying) with|put down)\b(?! (?:me|us)\b)(?: \w+){0,4}$|^with (?:an?|my|the)$/;

/** What is given back of the money that was handed over: it less what the rest of the story costs. */
export function solveChange(
  story: Story,
  solve: (rest: Story) => Expression | undefined,
): Expression | undefined {
  const { facts, question } = story;
  const handed = facts.find(({ before, unit }) => HANDED.test(before) && unit.of.length === 1);
  const rest = facts.filter((fact) => fact !== handed);
  if (!CHANGE.test(question.text) || !handed || rest.length < 2 || !isPayment(handed)) return undefined;
  const unit = { of: isMoney(handed.unit.of[0]) ? handed.unit.of : [MONEY], per: [] };
  const asked = { text: 'what is the total cost', unit, isCount: false, from: Infinity, to: Infinity };
  const cost = solve({ ...story, facts: rest, question: asked });
  if (!cost || (evaluate(cost) ?? Infinity) > handed.value) return undefined;
  return combine('subtract', handed.expression, cost);
}

/** `a 10 euro note`: its money is not for each note. */
const isPayment = ({ unit, isSingle }: Fact): boolean =>
  unit.per.length === 0 || isSingle || /^note|^bill/.test(unit.per[0] ?? '');
