import spellings from '../text/lexicon/chat-spellings.json';
import { wordsTagged } from '../text/lexicon/words';

/** Characters read of a long query: its end holds the request more often than its start does. */
const HEAD = 600;
const TAIL = 1_000;

/** Contractions and chat spellings, taken apart into the words that the features know. */
const REWRITES: Readonly<Record<string, string>> = spellings;

const SUFFIXES: Readonly<Record<string, string>> = {
  m: 'am', re: 'are', ve: 'have', ll: 'will', d: 'would',
}; // prettier-ignore

/** After these words an apostrophe and s is "is", after any other it is a possessive. */
const TAKES_IS = wordsTagged('takes-is'); // prettier-ignore

/**
 * One alternative for each kind of token. Each quantifier is bounded or is over characters that no other
 * alternative can give back, so the scan takes linear time.
 */
const TOKEN = new RegExp(
  [
    String.raw`(?<url>https?:\/\/[^\s"]{0,300}|(?:localhost|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})(?::\d{1,5})?(?:\/[^\s"]{0,200})?|(?<![\w.-])[\w-]{1,40}(?:\.[\w-]{1,40}){0,3}\.(?:com|org|net|io|dev|test)(?![\w-])(?::\d{1,5})?(?:\/[^\s"]{0,200})?)`,
    String.raw`(?<mail>(?<![\w.-])[\w.-]{1,40}@[\w.-]{1,60})`,
    String.raw`(?<quote>"[^"{}\n]{3,300}")`,
    String.raw`(?<json>\{[^{}\n]{0,300}[":][^{}\n]{0,300}\}|<[a-z]{1,20}>)`,
    String.raw`(?<list>\[[^\[\]\n]{1,300}\])`,
    String.raw`(?<file>(?<![\w-])[\w-]{1,40}\.(?:csv|json|txt|md|xml|yaml|yml|log|pdf|xlsx?|docx?|ts|js|py|sql|html|ini|toml|env|zip|png|jpe?g)(?![\w-]))`,
    String.raw`(?<clock>\d{1,2}:\d{2}|\d{1,2} ?(?:am|pm)(?![a-z]))`,
    String.raw`(?<num>\d{1,30}(?:[.,]\d{1,30}){0,4})`,
    String.raw`(?<word>\p{L}{1,40}(?:'\p{L}{1,3}(?!\p{L}))?)`,
    String.raw`(?<mark>[^\s\p{L}\d])`,
  ].join('|'),
  'giu',
);

/** A query made ready for the features. */
export interface Text {
  /** As written, bounded, lower case, white space collapsed. */
  readonly raw: string;
  /** Words in one spelling, placeholders, and single marks. */
  readonly tokens: readonly string[];
  /** The tokens between single spaces, with one at each end, so that patterns need no anchors. */
  readonly joined: string;
}

/** The part of a query that is looked at: all of it, or the start and the end of a long one. Pure. */
export function bound(query: string): string {
  if (query.length <= HEAD + TAIL) return query;
  return `${query.slice(0, HEAD)} ${query.slice(-TAIL)}`;
}

/** Splits a query into tokens. Pure; linear in the bounded length. */
export function readText(query: string): Text {
  const raw = bound(query)
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
  const tokens: string[] = [];
  for (const match of raw.matchAll(TOKEN)) {
    const groups = match.groups ?? {};
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined) ?? 'mark';
    if (kind === 'word') tokens.push(...words(match[0]));
    else tokens.push(kind === 'mark' ? match[0] : `<${kind}>`);
  }
  return { raw, tokens, joined: ` ${tokens.join(' ')} ` };
}

function words(word: string): string[] {
  const at = word.indexOf("'");
  if (at === -1) return (Object.hasOwn(REWRITES, word) ? (REWRITES[word] ?? word) : word).split(' ');
  const stem = word.slice(0, at);
  const suffix = word.slice(at + 1);
  if (suffix === 't' && stem.endsWith('n'))
    return [stem === 'can' || stem === 'won' ? stem.replace('won', 'will') : stem.slice(0, -1), 'not'];
  const base = Object.hasOwn(REWRITES, stem) ? (REWRITES[stem] ?? stem).split(' ') : [stem];
  if (suffix === 's') return [...base, TAKES_IS.has(base.at(-1) ?? '') ? 'is' : "'s"];
  return [...base, Object.hasOwn(SUFFIXES, suffix) ? (SUFFIXES[suffix] ?? suffix) : suffix];
}
