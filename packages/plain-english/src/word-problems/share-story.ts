import { evaluate, type Expression } from '../arithmetic/expression';
import { chooseWay, termOf } from './choose';
import type { Fact } from './fact';
import type { Story } from './question';
import { applyShare } from './shares';
import { solveByUnits } from './solve-by-units';

/** A share is of the amount that is named with it, or of all before it, or of all where it comes first. */
export function solveShare(story: Story, found: Fact): Expression | undefined {
  const { facts, question } = story;
  const at = facts.indexOf(found);
  const [before, after] = [facts.slice(0, at), facts.slice(at + 1)];
  const others = [...before, ...after];
  const next = after[0]?.clause === found.clause ? after[0] : undefined;
  // `40% of the 350 members are women`
  const share = next ? { ...found, after: `${found.after} # ${next.after}` } : found;
  const apply = (base: Expression): Expression | undefined => applyShare(share, base, story);
  const isNamed = /^(?:of|off|on|from)\b|^(?:\w+ ){1,3}(?:on|off|for)\b/.test(share.after);
  const base = isNamed && next ? next : others.length === 1 || before.length === 1 ? others[0] : undefined;
  if (!base) {
    const all = after.length > 0 ? undefined : solveByUnits({ ...story, facts: others });
    return all && apply(all);
  }
  const expression = apply(base.expression);
  if (!expression) return undefined;
  const made = { ...base, expression, value: evaluate(expression) ?? Number.NaN };
  return others.length === 1
    ? chooseWay([termOf(made, 1)], question)
    : solveByUnits({ ...story, facts: others.map((fact) => (fact === base ? made : fact)) });
}
