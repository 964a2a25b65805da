import { isOnePerson, sameBearer, type Aliases } from './aliases';
import { isLightVerb, type Term } from './terms';
import { saysTerm } from './evidence';
import { isClosedKind, isKindOf, isMainlyKindOf } from './kinds';
import { nearBySituation, relatedness } from './meanings';
import { isPersonNoun } from './persons';
import { verbOf } from './verbs';
import { isTypoOf } from '../text/edit-distance';
import { isKnownWord } from './wordnet';
import { conceptOf, LIGHT, lowerAt, type Word } from './words';

/** How near a word has to be to stand for somebody: a mother-in-law is no mother. */
const MIN_SAME = 0.93;
/** What a name counts where its bearer is asked for, and a kind where the passage has one of it. */
const BEARER = 0.95;
const OF_KIND = 0.8;
const TYPED = 0.9;
const PARTICLES = new Set('up off out down away back in on over'.split(' '));

/** How near the nearest of some words is to one of the question, 0 to 1. */
export function nearest(term: Term, words: readonly Word[], aliases: Aliases): number {
  let best = 0;
  for (const [at, word] of words.entries()) {
    const { lower, token } = word;
    if (token.kind === 'symbol') continue;
    if (lower === term.word) return 1;
    if (!isKnownWord(term.word) && isTypoOf(term.word, lower)) return TYPED;
    if (LIGHT.has(lower) && verbOf(lower) === undefined) continue;
    if (isLight(lower) && !term.required) {
      const isParticle = PARTICLES.has(lowerAt(words, at + 1));
      const phrase = isParticle ? relatedness(term.word, `${lower}_${lowerAt(words, at + 1)}`) : 0;
      best = Math.max(
        best,
        phrase,
        conceptOf(lower) === conceptOf(term.word) ? 1 : nearBySituation(term.word, lower),
      );
      continue;
    }
    best = Math.max(
      best,
      term.required ? asPerson(term.word, word, words, aliases) : asWord(term.word, words, at),
    );
  }
  return best;
}

function isLight(lower: string): boolean {
  return LIGHT.has(lower) || isLightVerb(lower);
}

function asWord(asked: string, words: readonly Word[], at: number): number {
  const lower = lowerAt(words, at);
  const next = lowerAt(words, at + 1);
  return Math.max(
    relatedness(asked, lower),
    PARTICLES.has(next) ? relatedness(asked, `${lower}_${next}`) : 0,
    isClosedKind(asked) && isKindOf(lower, asked) ? OF_KIND : 0,
  );
}

function asPerson(asked: string, word: Word, words: readonly Word[], aliases: Aliases): number {
  const { lower, token } = word;
  if (saysTerm(lower, asked)) return 1;
  // A friend with another name is another friend.
  const isOther = words.some(
    (other) => other.lower !== asked && isOnePerson(aliases, other.lower, lower) && other.lower !== lower,
  );
  if (!isOther && sameBearer(aliases, asked, lower)) return BEARER;
  if (/^\p{Lu}/u.test(token.text)) return 0;
  const near = relatedness(asked, lower);
  if (near >= MIN_SAME) return near;
  return !lower.includes('-') && isPersonNoun(word) && isMainlyKindOf(lower, asked) ? OF_KIND : 0;
}
