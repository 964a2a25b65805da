import { gerundOf } from '../text/base-forms';
import { lowerAt, type Token, type TokenText } from '../text/token';

const VERBS =
  'add subtract multiply find read extract fetch send post call order book check deduct reduce increase divide take halve double calculate compute convert get set split look show give open load'.split(
    ' ',
  );
const BASES = new Map(VERBS.map((verb) => [gerundOf(verb), verb]));
/** What a gerund that asks for something follows. */
const BEFORE = new Set([',', 'and', 'then', 'mind', 'by', 'about', 'start', 'first']);

/** Before `many`, which then adds nothing: `order that many gloves`. */
const POINTING = new Set(['that', 'this']);

/** `would you mind finding the price and multiplying it`: the verbs as they are in a plain request. */
export function withPlainVerbs({ source, tokens }: TokenText): TokenText {
  return {
    source,
    tokens: tokens
      .map((token, at) => plain(token, tokens[at - 1]))
      .filter((token, at) => !(token.lower === 'many' && POINTING.has(lowerAt(tokens, at - 1)))),
  };
}

function plain(token: Token, previous: Token | undefined): Token {
  const base = token.kind === 'word' ? BASES.get(token.lower) : undefined;
  return base !== undefined && BEFORE.has(previous?.lower ?? '') ? { ...token, lower: base } : token;
}
