import type { Word } from './words';

/** What people put before what they have to say. */
const LEADS: readonly RegExp[] = [
  /^(?:hi|hello|hey|hiya|howdy|good (?:morning|evening|afternoon|news)|well|ok|okay|so|oh|ah|um|yes|yeah|no|nope|sure|thanks|thank you|actually|sorry|please|and|but|also|then|anyway|anyways|btw|fyi|correction|update|note|reminder|again|there|by the way|just so you know|for the record|in fact|to be honest|as you know|in case you wonder|from now on|these days|nowadays|as of now|as of today|not any ?more|too|well then|of course|in the end|meanwhile|besides|hint) ?(?:there |again |to you )?[,!:.-]? /,
  /^(?:can you |could you |please |you should |i want you to |don't forget |do not forget |never forget )?(?:please )?(?:remember|note|keep in mind|bear in mind|don't forget|do not forget|make a note|write down|be aware|know|save|store|remind yourself)(?: this| it| down)?(?: that)?[:,]? /,
  /^(?:i (?:told|said|mentioned)(?: to)?(?: you)?(?: before| earlier| already)? that|i (?:think|guess|suppose|believe|must say|have to say|should say|should mention|forgot to say|forgot to mention|would say|meant)(?: that)?|you should know(?: that)?|let (?:me|us) tell you(?: that)?|the thing is|it turns out(?: that)?|noted ?: ?|you told me(?: on [\d-]+)?(?: that)? ?:?) /,
  /^(?!i |we |you )(?:my |the |our )?\S+(?: \S+)? (?:(?:just )?told (?:me|us)|said|says|mentioned|confirmed|announced)(?: that)? (?=\S+ \S+ \S)/,
  /^(?:on|in|at|since|for|until|last|next|this|every|after|before|as of|during|from) (?:\S+ ){1,4}?, /,
  /^(?:yesterday|today|tomorrow|tonight|recently|lately|currently|now|right now|at the moment|nowadays|sometimes|usually|normally|mostly|unfortunately|luckily|sadly|fortunately|finally|honestly|apparently|obviously|personally|generally|typically) ?,? /,
];
/** The words that state something, without what people put before them. */
export function bare(clause: readonly Word[]): readonly Word[] {
  let words = clause;
  for (let round = 0; round < 4; round++) {
    const text = `${words
      .slice(0, 14)
      .map(({ lower }) => lower)
      .join(' ')} `;
    const lead = LEADS.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
    if (lead === undefined) return words;
    const count = lead.trim().split(' ').length;
    if (count >= words.length) return words;
    words = words.slice(count);
  }
  return words;
}
