import { ARTICLES } from '../text/stop-words';
import type { Token } from '../text/token';
import { labelOf, labelsIn } from './labels';
import { plainStem, type Kind, type Slot } from './slots';
import type { Range } from './spans';
import type { View } from './view';

/** Prepositions that lead to values of a kind, the likeliest first. */
const LEADS: Readonly<Record<Kind, string>> = {
  choice: '',
  flag: '',
  number: '',
  list: 'with',
  json: '',
  email: 'to',
  url: 'at from of',
  phone: 'to at',
  file: 'in of from',
  date: 'on for by',
  time: 'at',
  code: 'of for on with under from',
  prose: 'saying that',
  title: 'for to at as called titled of named about',
  person: 'for to by with from of under',
  address: 'at to from',
  place: 'in at for near of to from',
  thing: 'for of in on about with at to as from',
};
const SOURCES = new Set('from origin source base departure sender pickup start'.split(' '));
const TARGETS = new Set('to destination dropoff target into arrival dest'.split(' '));

/** The preposition before a token, articles passed over. */
export function prepositionBefore(tokens: readonly Token[], at: number, { words }: Slot): string {
  let index = at - 1;
  // `from bay A1` for a parameter that is a bay.
  if (words.has(plainStem(tokens[index]?.lower ?? ''))) index--;
  while (ARTICLES.has(tokens[index]?.lower ?? '')) index--;
  const { lower = '' } = tokens[index] ?? {};
  return lower === 'of' && tokens[index - 1]?.lower === 'out' ? 'from' : lower === 'into' ? 'to' : lower;
}

/** How well a preposition leads to a parameter, 0 to about 1.2; below 0 where it leads the other way. */
export function leadOf(slot: Slot, preposition: string): number {
  const { kinds, name, nameWords, parameter } = slot;
  const isSource = nameWords.some((word) => SOURCES.has(word));
  const isTarget = nameWords.some((word) => TARGETS.has(word));
  if (isSource && preposition === 'from') return 1.2;
  if (isTarget && /^(?:to|into|as)$/.test(preposition)) return 1.2;
  if ((isSource && /^(?:to|in|as)$/.test(preposition)) || (isTarget && /^(?:from|of)$/.test(preposition)))
    return -2;
  if (name.toLowerCase() === preposition) return 1.2;
  const written = parameter.description.trim().replace(/\W+$/, '').toLowerCase();
  if (preposition !== '' && written.endsWith(` ${preposition}`)) return 1.2;
  return Math.max(
    0,
    ...[...kinds].map((kind) => {
      const at = LEADS[kind].split(' ').indexOf(preposition);
      return at === -1 || preposition === '' ? 0 : Math.max(0.3, 1 - at * 0.1);
    }),
  );
}

/** What the words around a stretch say for a parameter: labels before and after it, and the preposition. */
export function contextFit(view: View, slot: Slot, { from, to }: Range): number {
  const { tokens } = view;
  const before = labelOf(view, slot, from);
  // What announces another parameter is hardly this one's.
  const other = labelsIn(view).some(
    (one) => one.slot !== slot && one.value === from && one.strength === 3 && before?.strength !== 3,
  );
  const after = tokens[to]?.kind === 'word' ? plainStem(tokens[to].lower) : '';
  const follows = slot.nameStems.has(after) ? 1.2 : slot.own.has(after) ? 0.6 : 0;
  const preposition = prepositionBefore(tokens, from, slot);
  const label = before ? 0.8 + before.strength * 0.7 : 0;
  return Math.max(label, follows, nearby(view, slot, from)) + leadOf(slot, preposition) - (other ? 3 : 0);
}

/** A word of the parameter shortly before: `picked up on`, `due by`, `arriving at`. */
function nearby({ tokens }: View, { own, nameStems, words }: Slot, from: number): number {
  for (let back = 1; back <= 4; back++) {
    const token = tokens[from - back];
    if (!token || /^[.;!?,]$/.test(token.text)) break;
    const one = plainStem(token.lower);
    if (token.kind !== 'word') continue;
    if (own.has(one) || (nameStems.has(one) && words.has(one))) return 1 - back * 0.15;
  }
  return 0;
}
