import { sentencesOf } from '../text/sentences';
import { lowerAt, plainText, toWords, type Word } from './words';

export const ASKING = new Set('what which who whom whose where whereabouts when how why'.split(' '));

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
    ({ token }, index) => index > 0 && BREAKS.has(token.text) && ASKING.has(lowerAt(words, index + 1)),
  );
  return {
    question: words.slice(cut + 1),
    before: [...sentences.slice(0, at).flatMap((one) => toWords(one)), ...words.slice(0, Math.max(0, cut))],
  };
}

const BREAKS = new Set([',', '-', '–', '—', ':', ';']);

/** The maximum number of things that people put before what they have to say, and of words that have them. */
const MAX_LEADS = 4;
const MAX_LEAD = 20;

/** What people put before what they have to say. */
const LEADS: readonly RegExp[] = [
  /^(?:hi|hello|hey|hiya|howdy|good (?:morning|evening|afternoon|news)|well|ok|okay|so|oh|ah|um|yes|yeah|no|nope|sure|thanks|thank you|actually|sorry|please|and|but|also|then|anyway|anyways|btw|fyi|correction|update|note|reminder|again|there|by the way|just so you know|for the record|in fact|to be honest|as you know|in case you wonder|from now on|these days|nowadays|as of now|as of today|not any ?more|too|well then|of course|in the end|meanwhile|besides|hint) ?(?:there |again |to you )?[,!:.-]? /,
  /^(?:can you |could you |please |you should |i want you to |don't forget |do not forget |never forget )?(?:please )?(?:remember|note|keep in mind|bear in mind|don't forget|do not forget|make a note|write down|be aware|know|save|store|remind yourself)(?: this| it| down)?(?: that)?[:,]? /,
  /^(?:i (?:told|said|mentioned)(?: to)?(?: you)?(?: before| earlier| already)? that|i (?:think|guess|suppose|believe|must say|have to say|should say|should mention|forgot to say|forgot to mention|would say|meant)(?: that)?|you should know(?: that)?|let (?:me|us) tell you(?: that)?|the thing is|it turns out(?: that)?|noted ?: ?|you told me(?: on [\d-]+)?(?: that)? ?:?) /,
  /^(?!i |we |you )(?:my |the |our )?\S+(?: \S+)? (?:(?:just )?told (?:me|us)|said|says|mentioned|confirmed|announced)(?: that)? (?=\S+ \S+ \S)/,
  /^(?:on|in|at|since|for|until|last|next|this|every|after|before|as of|during|from) (?:\S+ ){1,4}?, /,
  /^(?:yesterday|today|tomorrow|tonight|recently|lately|currently|now|right now|at the moment|nowadays|sometimes|usually|normally|mostly|unfortunately|luckily|sadly|fortunately|finally|honestly|apparently|obviously|personally|generally|typically) ?,? /,
];

/** What people put around a question. */
const AROUND_QUESTION: readonly RegExp[] = [
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

/** Words without those that patterns find at their beginning, one after the other; some always stay. */
function withoutLeads(words: readonly Word[], patterns: readonly RegExp[]): readonly Word[] {
  let left = words;
  for (let round = 0; round < MAX_LEADS; round++) {
    const text = `${plainText(left.slice(0, MAX_LEAD))} `;
    const lead = patterns.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
    const count = lead === undefined ? 0 : lead.trim().split(' ').length;
    if (count === 0 || count >= left.length) return left;
    left = left.slice(count);
  }
  return left;
}

/** The words that state something, without what people put before them. */
export const bare = (clause: readonly Word[]): readonly Word[] => withoutLeads(clause, LEADS);

/** The question itself, without what stands around it. */
export function strip(words: readonly Word[]): readonly Word[] {
  const left = withoutLeads(
    words.filter(({ token }) => !(token.kind === 'symbol' && /[?!"“”.]/.test(token.text))),
    AROUND_QUESTION,
  );
  const tail = TAIL.exec(plainText(left))?.[0];
  return tail === undefined ? left : left.slice(0, left.length - tail.trim().split(' ').length);
}
