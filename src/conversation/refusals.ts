/** Longer replies say more than that there is no answer, characters. */
const MAX_LENGTH = 300;
/** How models begin a reply that only says that they have no answer, in English. */
const REFUSAL =
  /^(?:(?:i['’]m|i am)(?: very| so)? sorry|sorry\b|i apologi[sz]e|unfortunately\b|as an ai\b|i (?:do not|don['’]t|currently don['’]t) (?:know|recall|remember|see|have (?:any|access|enough|information|that|this|a record|records))|i (?:cannot|can['’]t|could not|couldn['’]t|am unable to|am not able to|was unable to) (?:answer|access|assist|determine|find|help|provide|recall|remember|say|see|tell))/i;

/**
 * Whether a model's reply only says that it has no answer. Such a reply is not worth being recalled: it says nothing of the user,
 * and is nearer to the same question than any fact. Pure.
 */
export function saysNoAnswer(text: string): boolean {
  const said = text.trim();
  return said.length <= MAX_LENGTH && REFUSAL.test(said);
}
