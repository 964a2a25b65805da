import { spend } from '../allowance';
import type { Token } from '../text/token';
import { labelOf, labelsIn } from './labels';
import { plainStem, type Slot } from './slots';
import type { Range } from './spans';
import { classesOf, leadIndex } from './token-classes';
import type { View } from './view';

const SOURCES = new Set('from origin source base departure sender pickup start'.split(' '));
const TARGETS = new Set('to destination dropoff target into arrival dest'.split(' '));
/** Classes of words with which what a label announces goes on. */
const GOING_ON = new Set(['word', 'caps', 'own', 'tool', 'known']);
/** How far before a value a word of its parameter may stand. */
const MAX_NEAR = 4;

/** Work of one stretch, and of comparing it with one of the other parameters. */
const COST = 4;
const SLOT_COST = 0.1;

/** What the words around a stretch say for a parameter: labels, the words next to it, and words of the parameter near it. */
export function contextOf(view: View, slot: Slot, { from, to }: Range): string[] {
  spend(COST + SLOT_COST * view.slots.length);
  const { tokens } = view;
  const classes = classesOf(view);
  const lead = leadIndex(view, from);
  const label = labelOf(view, slot, from)?.strength ?? 0;
  const isOther = labelsIn(view).some(
    (one) => one.slot !== slot && one.value === from && one.strength > label,
  );
  const after = tokens[to]?.kind === 'word' ? plainStem(tokens[to].lower) : '';
  const follows = slot.nameStems.has(after) ? 'name' : slot.own.has(after) ? 'own' : '';
  const isOthers = view.slots.some((one) => one !== slot && one.own.has(after) && one.nameStems.has(after));
  const direction = directionOf(slot, tokens[lead]?.lower ?? '', tokens[lead - 1]?.lower ?? '');
  return [
    `label ${label}`,
    ...(label > 1 && GOING_ON.has(classes[to] ?? '') ? ['label goes on'] : []),
    ...(isOther ? ['other label'] : []),
    `after ${classes[lead] ?? 'edge'}`,
    ...(lead < from - 1 ? ['after article'] : []),
    `before ${classes[to] ?? 'edge'}`,
    ...(follows === '' ? [] : [`before its ${follows}`]),
    ...(isOthers ? ["before another's name"] : []),
    ...(direction === '' ? [] : [direction]),
    ...nearness(tokens, slot, from),
  ];
}

/** Whether a preposition leads to the parameter or away from it: `from` to an origin and not to a destination. */
function directionOf({ name, nameWords, parameter }: Slot, lower: string, earlier: string): string {
  const preposition = lower === 'of' && earlier === 'out' ? 'from' : lower === 'into' ? 'to' : lower;
  const isSource = nameWords.some((word) => SOURCES.has(word));
  const isTarget = nameWords.some((word) => TARGETS.has(word));
  const leads =
    (isSource && preposition === 'from') ||
    (isTarget && /^(?:to|as)$/.test(preposition)) ||
    name === preposition;
  if (leads) return 'leads';
  const turns =
    (isSource && /^(?:to|in|as)$/.test(preposition)) || (isTarget && /^(?:from|of)$/.test(preposition));
  if (turns) return 'leads elsewhere';
  const described = parameter.description.trim().replace(/\W+$/, '').toLowerCase();
  return preposition !== '' && described.endsWith(` ${preposition}`) ? 'leads' : '';
}

/** A word of the parameter shortly before: `picked up on`, `due by`, `arriving at`. */
function nearness(tokens: readonly Token[], { own, nameStems }: Slot, from: number): string[] {
  for (let back = 1; back <= MAX_NEAR; back++) {
    const token = tokens[from - back];
    if (!token || /^[.;!?,]$/.test(token.text)) break;
    if (token.kind !== 'word') continue;
    const one = plainStem(token.lower);
    if (nameStems.has(one)) return [`near name ${back > 2 ? 'far' : 'close'}`];
    if (own.has(one)) return [`near own ${back > 2 ? 'far' : 'close'}`];
  }
  return [];
}
