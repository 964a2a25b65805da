import { isTypoOf } from '../text/edit-distance';
import { wordsOf } from '../text/stem';
import { STOP_WORDS } from '../text/stop-words';
import type { Token } from '../text/token';
import { plainStem, type Slot } from './slots';
import { MAX_TOKENS } from './spans';
import { meansSame } from './synonyms';
import { stemsOf, type Candidate, type View } from './view';

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const DENIALS = list(
  "don't dont not without no never disable false off doesn't doesnt skip non isn't isnt aren't needn't neednt won't nothing unnecessary cannot can't",
);
const ON = list('on true yes enable enabled enabling');
const OFF = list('off false no disable disabled disabling');
/** Words of a name that say nothing of what it is about. */
const EMPTY = list(
  'is should has be with include included includes enable enabled use needs need wants requires required allow',
);
/** What undoes the other where one of them is a word of the parameter. */
const OPPOSITES = [
  'double single',
  'both one single',
  'first return returning before again',
  'new old',
  'public private',
  'open closed',
].map((group) => group.split(' ').map(plainStem));
/** Says the same as a parameter's words. */
const ALIKE = [
  'first new',
  'visit been',
  'notify know inform message note tell alert',
  'remove away',
  'urgent asap',
  'gift present',
].map((group) => group.split(' ').map(plainStem));

/** Yes-or-no parameters that the sentence speaks of. */
export function flagCandidates(view: View, slot: Slot): Candidate[] {
  const clauses = clausesOf(view.tokens.slice(0, MAX_TOKENS));
  const mentions = clauses.flatMap((clause) => mention(view, slot, clause) ?? []);
  return [...mentions, ...switches(view, slot)];
}

interface Clause {
  readonly from: number;
  readonly to: number;
}

function clausesOf(tokens: readonly Token[]): Clause[] {
  const clauses: Clause[] = [];
  let from = 0;
  tokens.forEach(({ text, lower }, at) => {
    if (!/^[,.;!?]$/.test(text) && lower !== 'but' && text !== '-') return;
    clauses.push({ from, to: at });
    from = at + 1;
  });
  return [...clauses, { from, to: tokens.length }];
}

/** The words of the parameter in one clause, with what denies them. */
function mention(view: View, slot: Slot, clause: Clause): Candidate | undefined {
  const { tokens } = view;
  const names = slot.nameWords.filter((word) => !EMPTY.has(word)).map(plainStem);
  const falseStems = falseWords(slot);
  const isFree = slot.nameWords.at(-1) === 'free' && names.length > 1;
  const found = new Map<string, { at: number; weight: number; turns: boolean }>();
  for (let at = clause.from; at < clause.to; at++) {
    const token = tokens[at];
    if (token?.kind !== 'word') continue;
    for (const one of stemsOf(token)) {
      const match = falseStems.has(one)
        ? { word: one, weight: 1, turns: true }
        : matchWord(slot, names, one, token.lower);
      if (match && (found.get(match.word)?.weight ?? 0) < match.weight)
        found.set(match.word, { at, ...match });
    }
    const pair = `${plainStem(token.lower)}${plainStem(tokens[at + 1]?.lower ?? '')}`;
    if (names.includes(pair) && at + 1 < clause.to) found.set(pair, { at, weight: 2, turns: false });
  }
  const named = [...found.entries()].filter(([word]) => names.includes(word)).map(([, one]) => one);
  // Words of the description count where they are near the name, or where the name is not said.
  const hits = [...found.values()].filter(
    ({ at }) => named.length === 0 || named.some((one) => Math.abs(one.at - at) <= 3),
  );
  const weight = hits.reduce((sum, one) => sum + one.weight, 0);
  const isWhole = names.length > 0 && names.every((word) => found.has(word));
  if (!isWhole && weight < 1.5) return undefined;
  const from = Math.min(...hits.map(({ at }) => at));
  const to = Math.max(...hits.map(({ at }) => at)) + 1;
  if (to - from > 9) return undefined;
  const denied = denials(tokens, clause, from, to, isFree);
  const turned = hits.some(({ turns }) => turns) && !names.every((word) => found.get(word)?.turns === false);
  const start = Math.max(clause.from, Math.min(from, denied.at ?? from));
  return {
    slot,
    from,
    to,
    value: (denied.count + (turned ? 1 : 0)) % 2 === 0,
    score: 2 + (isWhole ? 1 : 0),
    isCertain: true,
    explains: { from: start, to: Math.min(clause.to, to + 3) },
  };
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

/** `insurance` for `insured`. */
function isRelated(one: string, other: string): boolean {
  return one.length > 4 && other.length > 4 && one.slice(0, 5) === other.slice(0, 5);
}

interface WordMatch {
  readonly word: string;
  readonly weight: number;
  readonly turns: boolean;
}

function matchWord(
  { own, words }: Slot,
  names: readonly string[],
  one: string,
  lower: string,
): WordMatch | undefined {
  if (names.includes(one)) return { word: one, weight: own.has(one) ? 1.6 : 0.9, turns: false };
  const bare = /^(?:un|non|in|dis)/.test(lower) ? plainStem(lower.replace(/^(?:un|non-?|in|dis)/, '')) : '';
  if (bare !== '' && names.includes(bare)) return { word: bare, weight: 1.6, turns: true };
  const typo = names.find((name) => isTypoOf(one, name) || isRelated(one, name));
  if (typo !== undefined) return { word: typo, weight: 1, turns: false };
  const opposite = OPPOSITES.filter((group) => group.includes(one) && !words.has(one))
    .flat()
    .find((word) => words.has(word));
  if (opposite !== undefined) return { word: opposite, weight: 0.9, turns: true };
  const alike = ALIKE.filter((group) => group.includes(one))
    .flat()
    .find((word) => names.includes(word));
  if (alike !== undefined)
    return {
      word: alike,
      weight: names.length < 3 && own.has(alike) && alike !== 'visit' ? 1.5 : 0.8,
      turns: false,
    };
  if (STOP_WORDS.has(lower)) return undefined;
  // The one word that tells the parameter's description from all others.
  const isOnly = [...own].filter((word) => !names.includes(word)).length === 1;
  if (own.has(one)) return { word: one, weight: isOnly ? 1.5 : 0.8, turns: false };
  const synonym = names.find((name) => meansSame(name, one));
  return synonym === undefined ? undefined : { word: synonym, weight: 0.8, turns: false };
}

/** Words of denial before the mention, inside it, or shortly after: `no wheelchair needed`, `waste need not be removed`. */
function denials(
  tokens: readonly Token[],
  clause: Clause,
  from: number,
  to: number,
  isFree: boolean,
): { readonly count: number; readonly at?: number } {
  const before = Math.max(clause.from, from - 5);
  const within = tokens.slice(before, Math.min(clause.to, to + 3));
  const at = within.findIndex(({ lower }, index) =>
    before + index < to
      ? DENIALS.has(lower) || lower.endsWith("n't")
      : /^(?:not|unnecessary|false)$/.test(lower) || lower.endsWith("n't"),
  );
  if (at === -1) return { count: 0 };
  // `without gluten` is gluten-free.
  const takes =
    isFree &&
    /^(?:without|no)$/.test(within[at]?.lower ?? '') &&
    !tokens.slice(from, to).some(({ lower }) => /\bfree$/.test(lower));
  return { count: takes ? 0 : 1, at: before + at };
}

/** `fragile: true`, and `turn the light on` for a parameter such as `on` or `enabled`. */
function switches(view: View, slot: Slot): Candidate[] {
  const { tokens } = view;
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
    return [
      {
        slot,
        from: isLabelled ? at - 2 : at,
        to: at + 1,
        value: ON.has(lower),
        score: isLabelled ? 5 : 2.5,
        isCertain: true,
      },
    ];
  });
}
