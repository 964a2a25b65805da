import { plainText, type Word } from './words';

export type Taste = 'like' | 'dislike';

const LIKING =
  /\b(?:likes?|liked|loves?|loved|enjoys?|enjoyed|prefers?|preferred|adores?|adored|fancy|favou?rites?|favs?|faves?|fan of|(?:am|is|are|'s|really) into|mad about|keen on|fond of|would rather|choice)\b/;
const DISLIKING =
  /\b(?:hates?|hated|dislikes?|disliked|detests?|loathes?|despises?|can not (?:stand|bear)|could not (?:stand|bear)|least favou?rite|sick of|what can i not stand)\b/;
const UNLIKING =
  /\b(?:not|never)(?: \w+){0,2} (?:likes?|liked|loves?|enjoys?|enjoyed|fan of|keen on|into|fond of)\b|\bstopped liking\b/;
/** `would love a coffee` is a wish. */
const WISHING = /\bwould (?:\w+ )?(?:like|love)\b/;

/** Whether words tell of liking or of disliking. */
export function tasteOf(words: readonly Word[]): Taste | undefined {
  const text = plainText(words);
  if (WISHING.test(text)) return undefined;
  if (DISLIKING.test(text) || UNLIKING.test(text)) return 'dislike';
  return LIKING.test(text) ? 'like' : undefined;
}
