import { sentencesOf } from '../text/sentences';
import { toWords, type Word } from './words';

export const ASKING = new Set('what which who whom whose where whereabouts when how why'.split(' '));
/** What stands around the question itself. */
const AROUND: readonly RegExp[] = [
  /^(?:hi|hello|hey|ok|okay|so|and|but|well|please|also|then|now|sorry|by the way|quick question|again|just|um|oh) ?[,!:.-]? /,
  /^(?:can|could|would|will) you (?:please )?(?:still )?(?:tell|remind|give|show|remember|recall|say)(?: to)?(?: me)?(?: again)?(?: of| about)? /,
  /^(?:.{0,60}[,:;-] )?(?:please )?(?:tell|remind|give|show) me(?: again)?(?: please)?(?: of)? ?:? /,
  /^(?:please )?(?:list|show) (?=(?:my|our|the|all) )/,
  /^(?:do|did) you (?:still )?(?:happen to )?(?:remember|know|recall|have any idea|note|store|save|keep)(?: of)? /,
  /^(?:any idea|any clue|i have no idea|i can not recall|i forgot|i forget|i wonder|i can not remember|i do not remember|i need to know|i want to know|i would like to know|i was wondering)(?: about)? ,? ?/,
  /^(?:from (?:our|my) (?:last|previous|earlier)? ?(?:chats?|conversations?)|based on what (?:i|you) \S+(?: \S+){0,3}|according to (?:my|your) (?:notes|memory|memories)|from memory|from what i(?: have)? told you|as far as you know) ,? ?/,
];
const TAIL =
  /,? (?:again|please|exactly|by the way|btw|do you know|do you remember|if you remember|then|you know|can you tell me|right)$/;

/** The words of the last sentence that says something. */
export function wordsOfLast(query: string): Word[] | undefined {
  return splitQuestion(query)?.question;
}

/** The words of the last question, or else of the last sentence, and what is said before it. */
export function splitQuestion(
  query: string,
): { readonly question: Word[]; readonly before: readonly Word[] } | undefined {
  const sentences = sentencesOf(query.slice(0, 1_000)).filter(
    (one) => one.length > 1 || one.at(-1)?.text === '?',
  );
  const asking = sentences.findLastIndex((one) => one.at(-1)?.text === '?');
  const at = asking < 0 ? sentences.length - 1 : asking;
  const sentence = sentences[at];
  if (!sentence) return undefined;
  const words = toWords(sentence);
  const cut = words.findIndex(
    ({ token }, index) => index > 0 && BREAKS.has(token.text) && ASKING.has(words[index + 1]?.lower ?? ''),
  );
  return {
    question: words.slice(cut + 1),
    before: [...sentences.slice(0, at).flatMap((one) => toWords(one)), ...words.slice(0, Math.max(0, cut))],
  };
}

const BREAKS = new Set([',', '-', '–', '—', ':', ';']);

/** The question itself, without what stands around it. */
export function strip(words: readonly Word[]): Word[] {
  let left = words.filter(({ token }) => !(token.kind === 'symbol' && /[?!"“”.]/.test(token.text)));
  for (let round = 0; round < 4; round++) {
    const text = `${textOf(left)} `;
    const found = AROUND.map((pattern) => pattern.exec(text)?.[0]).find((lead) => lead !== undefined);
    if (found === undefined) break;
    const rest = left.slice(found.trim().split(' ').length);
    if (rest.length === 0) break;
    left = rest;
  }
  const tail = TAIL.exec(textOf(left))?.[0];
  if (tail !== undefined) left = left.slice(0, left.length - tail.trim().split(' ').length);
  return left;
}

function textOf(words: readonly Word[]): string {
  return words.map(({ lower }) => lower).join(' ');
}
