/** Why the rules that stand in for a language model are absent, as a part of a sentence. */
export const NO_RULES = 'the built-in rules are off (PLAIN_ENGLISH) or not installed';
