import { stem } from '../text/stem';
import type { Field } from './fields';
import { likeness, weightOf } from './key-words';
import { ordinalOf, type Word } from './question';
import { wordsTagged } from '../text/lexicon/words';

/** Words of a question that name a field, or several fields alike. */
export interface Mention {
  /** Numbers of the first word and of the one after the last. */
  readonly from: number;
  readonly to: number;
  readonly fields: readonly Field[];
  /** How much of the name is said: 1 for each word of it, less what is left out. */
  readonly quality: number;
  /** True where all of the name is said but units and the like. */
  readonly complete: boolean;
}

const MIN_LIKENESS = 0.7;
const MAX_JOINED = 4;
/** Words of no weight between two words of a name: `delivery is estimated`. */
const MAX_BETWEEN = 2;
const LINKING = wordsTagged('mentions-linking');
const JOINING = new Set(['and', 'or', 'than']);
/** What a word of a name costs that is not said; the last one is what the thing is. */
const UNSAID = 0.6;
const UNSAID_HEAD = 0.8;

/** The fields that the words of a question name, in their order; where names overlap, the better one. */
export function findMentions(words: readonly Word[], fields: readonly Field[]): readonly Mention[] {
  const known = new Map<string, number>();
  const like = (word: string, keyWord: string): number => {
    const id = `${word} ${keyWord}`;
    const found = known.get(id) ?? likeness(word, keyWord);
    known.set(id, found);
    return found;
  };
  const windows = fields.flatMap((field) => windowsOf(words, field, like));
  windows.sort((a, b) => b.quality - a.quality || a.to - a.from - (b.to - b.from));
  const taken: Mention[] = [];
  for (const window of windows) {
    const at = taken.findIndex(({ from, to }) => window.from < to && from < window.to);
    const rival = taken[at];
    if (!rival) taken.push(window);
    else if (isAlike(rival, window))
      taken[at] = { ...rival, fields: [...new Set([...rival.fields, ...window.fields])] };
  }
  return taken.sort((a, b) => a.from - b.from);
}

function isAlike(one: Mention, other: Mention): boolean {
  return one.from === other.from && one.to === other.to && one.quality - other.quality < 0.05;
}

type Like = (word: string, keyWord: string) => number;

function windowsOf(words: readonly Word[], field: Field, like: Like): Mention[] {
  const { words: key } = field;
  if (key.length === 0) return [];
  const windows: Mention[] = [];
  const whole = stem(key.join(''));
  for (let from = 0; from < words.length; from++) {
    const window = joinedAt(words, from, field, whole) ?? grow(words, from, field, like);
    if (window) windows.push(window);
  }
  return windows;
}

/** `user name` for `username`, and the other way round. */
function joinedAt(words: readonly Word[], from: number, field: Field, whole: string): Mention | undefined {
  let joined = '';
  for (let to = from + 1; to <= Math.min(words.length, from + MAX_JOINED); to++) {
    joined += words[to - 1]?.text ?? '';
    if (!words.slice(from, to).some(({ names }) => names)) continue;
    if (joined !== whole && stem(joined) !== whole) continue;
    const quality = Math.max(to - from, field.words.length);
    return { from, to, fields: [field], quality, complete: true };
  }
  return undefined;
}

function grow(words: readonly Word[], from: number, field: Field, like: Like): Mention | undefined {
  const unsaid = new Set(field.words.keys());
  let quality = 0;
  let to = from;
  let isNamed = false;
  for (let at = from; at < words.length && at - to <= MAX_BETWEEN && unsaid.size > 0; at++) {
    const word = words[at];
    if (!word || (at > from && (word.starts || JOINING.has(word.text)))) break;
    const best = bestOf(word, field, unsaid, like);
    // `name of the first` is not `firstName`.
    const isReversed = [...field.words.keys()].some(
      (index) => best && index > best.index && !unsaid.has(index),
    );
    if (isReversed && ordinalOf(word) !== undefined) break;
    if (!best) {
      if (at === from || !LINKING.has(word.text)) break;
      continue;
    }
    unsaid.delete(best.index);
    quality += best.likeness * weightOf(field.words[best.index] ?? '');
    isNamed ||= word.names;
    to = at + 1;
  }
  if (!isNamed) return undefined;
  const last = field.words.findLastIndex((word) => weightOf(word) === 1);
  for (const index of unsaid)
    quality -= weightOf(field.words[index] ?? '') * (index === last ? UNSAID_HEAD : UNSAID);
  const complete = [...unsaid].every((index) => weightOf(field.words[index] ?? '') < 1);
  return quality > 0.1 ? { from, to, fields: [field], quality, complete } : undefined;
}

function bestOf(
  word: Word,
  { words }: Field,
  unsaid: ReadonlySet<number>,
  like: Like,
): { readonly index: number; readonly likeness: number } | undefined {
  let best: { index: number; likeness: number } | undefined;
  for (const index of unsaid) {
    const found = like(word.text, words[index] ?? '');
    const isEnough = word.names ? found >= MIN_LIKENESS : found === 1;
    if (isEnough && found > (best?.likeness ?? 0)) best = { index, likeness: found };
  }
  return best;
}
