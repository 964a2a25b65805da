import { POLITENESS, STOP_WORDS } from '../text/stop-words';
import type { Draft } from './draft';
import { isMethodName } from './method-names';
import { isRequestVerb, mayOrder } from './methods';
import { wordsTagged } from '../text/lexicon/words';

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words that take a request back, ask how one is made, or what one would do. */
const UNREAL =
  /\b(?:if (?:i|we|you|one|they|someone|somebody) (?:were|was|did|had|sent|posted|deleted|put|send|post|delete|patch|call|get)\b(?! it)|what (?:would|will|happens?|might)\b|would (?:it|that|this|there)\b|suppose\b|imagine\b|hypothetical|should (?:i|we)\b|how (?:do|does|did|to|can|would|should) ?(?:i|we|you|one|people)?\b|why (?:do|does|did|is|are|was)\b|difference between|(?:changed|change) (?:my|our) mind|never ?mind|scratch that|cancel that|forget (?:it|that|about)|leave it\b|on second thoughts?|hold off|(?:was|were) going to|(?:was|were) about to|would have|wish|used to|is it (?:ok|okay|safe|possible|allowed)|am i (?:allowed|able)|thinking (?:of|about)|(?:better|rather) not|kidding|joking|ignore (?:that|this)|actually ,? ?no|what does .{0,200}\bdo\b|(?:can|may|could) i (?:delete|post|put|patch|send|remove|update|create)|(?:tried|meant|planned|forgot|refused|managed|failed|attempted) to)/;
const SUBJECTS = wordsTagged('asking-subjects');
const TOLD_BY = wordsTagged('told-by');
const MODALS = list('will would should might may can could shall');
const QUESTIONS = wordsTagged('questions');
/** What a question about an address itself asks for. */
const ANSWERS = wordsTagged('answers');
/** What an address holds as a whole. */
const WHOLE = wordsTagged('asking-whole');

/** True for a text that speaks of a request that is not to be made. */
export function isUnreal(draft: Draft): boolean {
  return UNREAL.test(said(draft));
}

/** The words outside of quotes and addresses, in lower case. */
function said({ tokens }: Draft): string {
  return tokens.map(({ kind, lower }) => (kind === 'word' || kind === 'symbol' ? lower : '…')).join(' ');
}

/** True where a text tells somebody to make the request, asks what an address answers, or holds nothing but the request. */
export function asksForRequest(draft: Draft, isNamed: boolean): boolean {
  if (draft.tokens.some((_, at) => isOrder(draft, at))) return true;
  const words = draft.rest().map(({ lower }) => lower);
  const has = (set: ReadonlySet<string>): boolean => words.some((word) => set.has(word));
  if (!has(SUBJECTS) && (isNamed || isCovered(draft, 0, draft.tokens.length))) return true;
  return has(QUESTIONS) && has(ANSWERS) && !words.includes('how');
}

/** A verb of requests that is not what somebody does or did: `I put`, `we call`. */
function isOrder(draft: Draft, at: number): boolean {
  if (draft.tokens[at]?.kind !== 'word' || !draft.isFree(at) || !isRequestVerb(draft.word(at))) return false;
  if (!mayOrder(draft, at)) return false;
  const [second, first] = [draft.word(at - 2), draft.word(at - 1)];
  if (SUBJECTS.has(first)) return TOLD_BY.has(second);
  return !(SUBJECTS.has(second) && MODALS.has(first));
}

/** True for words that ask for nothing beyond the request and its answer as a whole. */
export function isCovered(draft: Draft, from: number, to: number): boolean {
  return draft.tokens.slice(from, to).every(({ kind, lower }, index) => {
    if (kind === 'symbol' || !draft.isFree(from + index) || WHOLE.has(lower) || ANSWERS.has(lower))
      return true;
    // `the id` and `the time` are parts, though such words count as empty elsewhere.
    if (draft.word(from + index - 1) === 'the') return false;
    return STOP_WORDS.has(lower) || POLITENESS.has(lower) || isRequestVerb(lower) || isMethodName(lower);
  });
}
