import { evaluate, type Expression } from '../arithmetic/expression';
import { chooseWay, termOf } from './choose';
import type { Fact } from './fact';
import type { Question } from './question';
import { applyShare } from './shares';
import { solveByUnits } from './story';
import type { Joining } from './term';

/** A share is of the amount that is named with it, or of all before it, or of all where it comes first. */
export function solveShare(
  facts: readonly Fact[],
  found: Fact,
  question: Question,
  text: string,
): Expression | undefined {
  const at = facts.indexOf(found);
  const [before, after] = [facts.slice(0, at), facts.slice(at + 1)];
  const next = after[0];
  const isNear = next !== undefined && next.clause === found.clause;
  // `40% of the 350 members are women`
  const share = isNear ? { ...found, after: `${found.after} # ${next.after}` } : found;
  const isNamed =
    next !== undefined &&
    /^(?:of|off|on|from)\b|^(?:\w+ ){1,3}(?:on|off|for)\b/.test(share.after) &&
    next.clause === share.clause;
  const apply = (base: Expression): Expression | undefined => applyShare(share, base, question.text, text);
  if (isNamed) return withBase(next, [...before, ...after.slice(1)]);
  const [only] = before;
  if (only && before.length === 1) return withBase(only, after);
  if (after.length > 0 && before.length > 0) return undefined;
  const others = [...before, ...after];
  const [sole] = others;
  if (sole && others.length === 1) return withBase(sole, []);
  const base = solveByUnits(others, question, text);
  return base && apply(base);

  function withBase(fact: Fact, others: readonly Fact[]): Expression | undefined {
    const expression = apply(fact.expression);
    if (!expression) return undefined;
    const made = { ...fact, expression, value: evaluate(expression) ?? Number.NaN };
    const rest = [...others, made].sort((a, b) => a.at - b.at);
    return others.length === 0
      ? chooseWay([termOf(made, 1)], question, PLAIN)
      : solveByUnits(rest, question, text);
  }
}

/** Amounts of different units only. */
const PLAIN: Joining = { acrossThings: false, per: [], isCount: false, isApart: false };
