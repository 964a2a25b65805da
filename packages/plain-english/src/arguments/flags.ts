import { setOf } from '../text/lexicon/words';
import { isTypoOf } from '../text/edit-distance';
import { wordsOf } from '../text/stem';
import { STOP_WORDS } from '../text/stop-words';
import type { Token } from '../text/token';
import { antonymsOf } from '../recall/wordnet';
import { plainStem, type Slot } from './slots';
import { MAX_TOKENS, type Range } from './spans';
import { isWeak, meansSame } from './synonyms';
import { stemsOf, type Candidate, type View } from './view';
import vocabulary from './vocabulary.json';

const DENIALS = setOf(
  "don't dont not without no never disable false off doesn't doesnt skip non isn't isnt aren't needn't neednt won't nothing unnecessary cannot can't",
);
const ON = setOf('on true yes enable enabled enabling');
const OFF = setOf('off false no disable disabled disabling');
/** Words of a name that say nothing of what it is about. */
const EMPTY = setOf(
  'is should has be with include included includes enable enabled use needs need wants requires required allow',
);
/** What undoes the other, besides what WordNet has as antonyms. */
const OPPOSITES = vocabulary.opposites.map((group) => group.split(' ').map(plainStem));
/** Says the same as a parameter's words. */
const ALIKE = vocabulary.flags.map((group) => group.split(' ').map(plainStem));
/** How far before the words of a parameter what denies them stands, and how far after. */
const DENIED_BEFORE = 5;
const DENIED_AFTER = 3;
/** Words of one parameter that are farther apart are about different things. */
const MAX_WIDTH = 9;

/** How a word of a text says a word of a parameter. */
type Manner =
  'own name' | 'name' | 'related' | 'alike' | 'described' | 'synonym' | 'negated' | 'opposite' | 'false';
const TURNING: ReadonlySet<Manner> = new Set(['negated', 'opposite', 'false']);

interface Hit {
  readonly at: number;
  readonly word: string;
  readonly manner: Manner;
}

/** Yes-or-no parameters that the sentence speaks of. */
export function flagCandidates(view: View, slot: Slot): Candidate[] {
  const clauses = clausesOf(view.tokens.slice(0, MAX_TOKENS));
  return [...clauses.flatMap((clause) => mention(view, slot, clause)), ...switches(view, slot)];
}

function clausesOf(tokens: readonly Token[]): Range[] {
  const clauses: Range[] = [];
  let from = 0;
  tokens.forEach(({ text, lower }, at) => {
    if (!/^[,.;!?]$/.test(text) && lower !== 'but' && text !== '-') return;
    clauses.push({ from, to: at });
    from = at + 1;
  });
  return [...clauses, { from, to: tokens.length }];
}

/** The words of the parameter in one clause, with what denies them. */
function mention({ tokens, slots }: View, slot: Slot, clause: Range): Candidate[] {
  const names = slot.nameWords.filter((word) => !EMPTY.has(word)).map(plainStem);
  const isOthers = (word: string): boolean =>
    slots.some(({ nameStems }) => nameStems.has(word) && nameStems !== slot.nameStems);
  // `policy` says another parameter rather than that the police is informed.
  const all = hitsIn(tokens, slot, names, clause).filter(
    ({ at, manner }) => manner !== 'related' || !isOthers(plainStem(tokens[at]?.lower ?? '')),
  );
  const named = all.filter(({ word }) => names.includes(word));
  // Words of the description count where they are near the name, or where the name is not said.
  const hits = all.filter(({ at }) => named.length === 0 || named.some((one) => Math.abs(one.at - at) <= 3));
  // `send` alone does not say that a receipt is to be sent.
  const isTelling = hits.some(({ word }) => !isWeak(word)) || names.every(isWeak);
  if (hits.length === 0 || !isTelling) return [];
  const from = Math.min(...hits.map(({ at }) => at));
  const to = Math.max(...hits.map(({ at }) => at)) + 1;
  // `takeaway: no` is read as a label with its value.
  const isLabel = /^[:=]$/.test(tokens[to]?.text ?? '');
  if (to - from > MAX_WIDTH || isLabel) return [];
  const denial = denialOf(tokens, slot, clause, { from, to });
  const isStraight = names.every((word) => hits.some((one) => one.word === word && !TURNING.has(one.manner)));
  const isTurned = !isStraight && hits.some(({ manner }) => TURNING.has(manner));
  const isWhole = names.length > 0 && names.every((word) => hits.some((one) => one.word === word));
  const words = new Set(hits.map(({ word }) => word)).size;
  return [
    {
      slot,
      from,
      to,
      value: (denial !== undefined) === isTurned,
      features: [
        'mention',
        ...(isWhole ? ['whole name'] : []),
        `words ${Math.min(words, 3)}`,
        ...new Set(hits.map(({ manner }) => manner)),
        `by ${[...new Set(hits.map(({ manner }) => manner))].sort().join(', ')}`,
        ...(denial === undefined ? [] : ['denied']),
        `named ${new Set(named.map(({ word }) => word)).size} of ${Math.min(3, names.length)}`,
      ],
      isCertain: true,
      explains: {
        from: Math.max(clause.from, Math.min(from, denial ?? from)),
        to: Math.min(clause.to, to + DENIED_AFTER),
      },
    },
  ];
}

function hitsIn(tokens: readonly Token[], slot: Slot, names: readonly string[], { from, to }: Range): Hit[] {
  const no = falseWords(slot);
  return tokens.slice(from, to).flatMap((token, offset): Hit[] => {
    if (token.kind !== 'word') return [];
    const at = from + offset;
    const pair = `${plainStem(token.lower)}${plainStem(tokens[at + 1]?.lower ?? '')}`;
    if (at + 1 < to && names.includes(pair)) return [{ at, word: pair, manner: 'own name' }];
    return stemsOf(token).flatMap((one) =>
      no.has(one)
        ? [{ at, word: one, manner: 'false' as const }]
        : (matchWord(slot, names, one, token.lower, at) ?? []),
    );
  });
}

/** `true for colour, false for black and white`: what stands for no. */
function falseWords({ parameter }: Slot): ReadonlySet<string> {
  const found = /\bfalse (?:for|if|when|means) ([^,;.]{1,60})/i.exec(parameter.description)?.[1] ?? '';
  return new Set(
    wordsOf(found)
      .filter((word) => !STOP_WORDS.has(word))
      .map(plainStem),
  );
}

function matchWord(
  { own, words }: Slot,
  names: readonly string[],
  one: string,
  lower: string,
  at: number,
): Hit | undefined {
  if (/^non-?/.test(lower) && names.includes(one)) return { at, word: one, manner: 'negated' };
  if (names.includes(one)) return { at, word: one, manner: own.has(one) ? 'own name' : 'name' };
  const bare = plainStem(lower.replace(/^(?:un|non|in|dis)/, ''));
  if (bare !== plainStem(lower) && names.includes(bare)) return { at, word: bare, manner: 'negated' };
  const related = names.find((name) => isTypoOf(one, name) || isRelated(one, name));
  if (related !== undefined) return { at, word: related, manner: 'related' };
  const among = (groups: readonly string[][], wanted: (word: string) => boolean): string | undefined =>
    groups
      .filter((group) => group.includes(one))
      .flat()
      .find(wanted);
  const opposite = words.has(one)
    ? undefined
    : (among(OPPOSITES, (word) => words.has(word)) ??
      antonymsOf(lower)
        .map(plainStem)
        .find((word) => words.has(word)));
  if (opposite !== undefined) return { at, word: opposite, manner: 'opposite' };
  const alike = among(ALIKE, (word) => names.includes(word));
  if (alike !== undefined) return { at, word: alike, manner: 'alike' };
  if (STOP_WORDS.has(lower)) return undefined;
  if (own.has(one)) return { at, word: one, manner: 'described' };
  const synonym = names.find((name) => meansSame(name, one));
  return synonym === undefined ? undefined : { at, word: synonym, manner: 'synonym' };
}

/** `insurance` for `insured`. */
function isRelated(one: string, other: string): boolean {
  return one.length > 4 && other.length > 4 && one.slice(0, 5) === other.slice(0, 5);
}

/** Where the mention is denied: `no wheelchair needed`, `waste need not be removed`. */
function denialOf(
  tokens: readonly Token[],
  slot: Slot,
  clause: Range,
  { from, to }: Range,
): number | undefined {
  const start = Math.max(clause.from, from - DENIED_BEFORE);
  const within = tokens.slice(start, Math.min(clause.to, to + DENIED_AFTER));
  const index = within.findIndex(({ lower }, offset) =>
    start + offset < to
      ? DENIALS.has(lower) || lower.endsWith("n't")
      : /^(?:not|unnecessary|false)$/.test(lower) || lower.endsWith("n't"),
  );
  if (index === -1) return undefined;
  // `without gluten` is gluten-free.
  const isFree = slot.nameWords.at(-1) === 'free' && slot.nameWords.length > 1;
  const takes = isFree && /^(?:without|no)$/.test(within[index]?.lower ?? '');
  return takes && !tokens.slice(from, to).some(({ lower }) => /\bfree$/.test(lower))
    ? undefined
    : start + index;
}

/** `fragile: true`, and `turn the light on` for a parameter such as `on` or `enabled`. */
function switches({ tokens }: View, slot: Slot): Candidate[] {
  const about = wordsOf(
    `${slot.name} ${slot.parameter.description.replace(/\b(?:true|false|whether)\b/gi, '')}`,
  );
  const isSwitch = about.some((word) => ON.has(word) || OFF.has(word) || word === 'state');
  return tokens.slice(0, MAX_TOKENS).flatMap(({ lower }, at) => {
    if (!ON.has(lower) && !OFF.has(lower)) return [];
    const mark = tokens[at - 1]?.text ?? '';
    const label = wordsOf(tokens[at - 2]?.text ?? '');
    const isLabelled =
      (mark === ':' || mark === '=') &&
      label.length > 0 &&
      (label.join(' ') === slot.nameWords.join(' ') || label.join('') === slot.nameWords.at(-1));
    const next = tokens[at + 1];
    // Before a place or a day `on` is a preposition.
    const isParticle =
      isSwitch && (lower !== 'on' || !next || next.kind === 'symbol' || STOP_WORDS.has(next.lower));
    if (!isLabelled && !isParticle) return [];
    const features = [isLabelled ? 'labelled switch' : 'switch'];
    return [
      { slot, from: isLabelled ? at - 2 : at, to: at + 1, value: ON.has(lower), features, isCertain: true },
    ];
  });
}
