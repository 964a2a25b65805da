import { setOf, wordsTagged } from './lexicon/words';

/** Words that carry no subject matter: they choose no tool. */
export const STOP_WORDS = wordsTagged('stop-words');

/** What people put around a request to be friendly. */
export const POLITENESS = wordsTagged('politeness');

export const ARTICLES = wordsTagged('articles');

/** Words that point to what came before. */
export const PRONOUNS = setOf('it that this them those these');
