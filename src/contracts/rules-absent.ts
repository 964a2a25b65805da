/** Says as a part of a sentence why there are no rules that replace a language model. */
export const NO_RULES = 'the built-in rules are off (PLAIN_ENGLISH) or not installed';
