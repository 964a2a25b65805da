import { textOf } from '../text/token';
import type { Draft } from './draft';

const VERB_LINKS = new Set(
  (
    'is|are|equals|equal to|becomes|being|be|should be|must be|will be|set to|is set to|should be set to|with value|with the value|' +
    'has value|has the value|to be|is now|and it is'
  ).split('|'),
);
const PREPOSITIONS = new Set(['to', 'of', 'as']);
const MAX_LINK_WORDS = 4;

/** What ties the name before a token to a value, and where the value starts. */
export interface Link {
  readonly tie: 'sign' | 'verb' | 'preposition' | 'none';
  readonly to: number;
}

export function linkAt(draft: Draft, at: number): Link {
  const [name, sign] = [draft.tokens[at - 1], draft.tokens[at]];
  if (sign?.text === '=') return { tie: 'sign', to: at + (/^[=>]$/.test(draft.word(at + 1)) ? 2 : 1) };
  if (sign?.text === ':' && sign.start === name?.end) return { tie: 'sign', to: at + 1 };
  for (let length = MAX_LINK_WORDS; length > 0; length--) {
    const words = draft.tokens.slice(at, at + length).map(({ lower }) => lower);
    if (words.length === length && VERB_LINKS.has(words.join(' '))) return { tie: 'verb', to: at + length };
  }
  return PREPOSITIONS.has(draft.word(at)) && !draft.leadsOn(at)
    ? { tie: 'preposition', to: at + 1 }
    : { tie: 'none', to: at };
}

/** A value as it is in quotes or JSON as it is, numbers and constants by their type, other words as written. */
export function readValue(draft: Draft, at: number): { value: unknown; to: number } | undefined {
  const token = draft.tokens[at];
  if (!token || !draft.isFree(at)) return undefined;
  if (token.kind === 'quoted' || token.kind === 'json') return { value: token.value, to: at + 1 };
  const to = draft.valueEnd(at);
  const text = textOf(draft.text, at, to);
  return text === '' || /^[[{<]/.test(text) ? undefined : { value: typed(text), to };
}

function typed(text: string): unknown {
  if (/^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?)$/i.test(text))
    return JSON.parse(text.toLowerCase()) as unknown;
  return /^[1-9]\d{0,2}(?:,\d{3})+$/.test(text) ? Number(text.replaceAll(',', '')) : text;
}
