/*
 * Stored data depends on these parts: the words by which both memory stores find texts. A change of them needs a new number in
 * PARTS_VERSION.
 */

/** Identifies the parts that this process makes: the rules of this file, and the dictionaries of its ICU. */
export const PARTS_VERSION = `1/${process.versions['icu'] ?? 'none'}`;

const WORD = /[\p{L}\p{M}\p{N}\p{Co}]+/gu;
/** Most texts have none of these characters, so they cost one scan. */
const BEYOND_LATIN = /[^\0-\u036f\u1e00-\u1eff\u2000-\u20ff]/;
/** Scripts without spaces whose words only a dictionary knows. */
const SEGMENTED = '\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}';
const IN_PAIRS = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}';
/** Splits a word where it changes between scripts that are segmented, that are searched in pairs, and all others. */
const PIECE = new RegExp(
  `(?<segmented>[${SEGMENTED}]+)|(?<pairs>[${IN_PAIRS}]+)|[^${SEGMENTED}${IN_PAIRS}]+`,
  'gu',
);
const IS_SPLIT = new RegExp(`[${SEGMENTED}${IN_PAIRS}]`, 'u');
const NOT_SEGMENTED = new RegExp(`[^${SEGMENTED}]+`, 'gu');
/** Accents of Latin, Greek and Cyrillic letters, but for that of the letter й, and marks that choose one of several shapes. */
const DROPPED_MARKS = /(?<!и(?=\u0306))[\u0300-\u036f]|\p{Variation_Selector}/gu;

const segmenter = new Intl.Segmenter('th', { granularity: 'word' });
/** The segmenter takes time in the square of the length, so longer runs are segmented in stretches. */
const STRETCH = 250;
/** ICU looks this many words ahead, so the last ones of a stretch may end otherwise in the whole run. */
const LOOK_AHEAD = 3;

/**
 * Returns the parts by which a text is found besides its words, with repeats: pairs and single characters of Chinese, Japanese
 * and Korean, words of Thai, Lao, Khmer and Burmese, what is written together with them, and words of other scripts than Latin
 * without accents. All are in lower case and consist of letters and digits.
 */
export function textParts(text: string): string[] {
  return splitWords(text, (characters) => [...characters, ...toPairs(characters)]);
}

/** Returns the parts of which a text has to have some for a query: as `textParts`, but single characters only if they stand alone. */
export function queryParts(query: string): string[] {
  return splitWords(query, (characters) => (characters.length === 1 ? [...characters] : toPairs(characters)));
}

type SplitCharacters = (characters: readonly string[]) => string[];

function splitWords(text: string, split: SplitCharacters): string[] {
  if (!BEYOND_LATIN.test(text)) return [];
  const parts: string[] = [];
  for (const [word] of text.matchAll(WORD)) {
    if (BEYOND_LATIN.test(word)) for (const part of splitWord(word, split)) parts.push(part);
  }
  return parts;
}

function splitWord(word: string, split: SplitCharacters): string[] {
  const normalized = normalize(word);
  // The stores find a word as it is by themselves.
  if (normalized === toLetters(word.toLowerCase()) && !IS_SPLIT.test(normalized)) return [];
  return [...normalized.matchAll(PIECE)].flatMap(({ 0: piece, groups }) => {
    if (groups?.['segmented'] !== undefined) return segment(piece);
    // One form of a character may be several words.
    return groups?.['pairs'] === undefined ? (piece.match(WORD) ?? []) : split(Array.from(piece));
  });
}

/**
 * Returns a word in lower case and without accents, with one form of full-width, half-width and composed characters. Segmented
 * scripts stay as they are, because the dictionaries do not know their words in another form.
 */
function normalize(word: string): string {
  return word.replace(NOT_SEGMENTED, (piece) => {
    const decomposed = piece.normalize('NFKC').toLowerCase().normalize('NFD');
    return toLetters(decomposed.replace(DROPPED_MARKS, '').normalize('NFC'));
  });
}

function segment(run: string): string[] {
  const words: string[] = [];
  for (let at = 0; at < run.length;) {
    const segments = [...segmenter.segment(run.slice(at, at + STRETCH))];
    const isLast = at + STRETCH >= run.length;
    const wholeSegments = isLast ? segments : segments.slice(0, Math.max(1, segments.length - LOOK_AHEAD));
    for (const { segment: word } of wholeSegments) {
      words.push(toLetters(word));
      at += word.length;
    }
  }
  return words;
}

function toPairs(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`);
}

/** Replaces marks by letters of private use, because SQLite splits words at marks. */
function toLetters(part: string): string {
  return part.replace(/\p{M}/gu, (mark) => String.fromCharCode(0xe000 + (mark.charCodeAt(0) & 0xfff)));
}
