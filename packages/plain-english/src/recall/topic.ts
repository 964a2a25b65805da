import type { Asked } from './asked';
import { readAsked, wordsAsked } from './asking';
import { plainText } from './words';

const TOPIC =
  /^(?:.{0,30} )?(?:what|everything|anything|all|tell me|remind me|remember|summari[sz]e)(?: else)?(?: (?:that|what|everything|all))?(?: (?:do|did|have|can|could|would))?(?: (?:you|i|we))?(?: (?:still|already|ever))? ?(?:know|remember|recall|tell|told|say|said|mention|mentioned|learn|learned|talk|talked|have stored|stored|remind)?(?: to)?(?: you| me)? about (.{1,80})$/;

/** What is asked by `what do you know about my dog`; `me` for what is known about the user. */
export function readTopic(query: string): Asked | 'me' | undefined {
  const text = plainText(wordsAsked(query));
  if (text === 'who am i') return 'me';
  const about = TOPIC.exec(text)?.[1];
  if (about === undefined) return undefined;
  return /^(?:me|myself|us)$/.test(about)
    ? 'me'
    : readAsked(`what is ${query.slice(query.toLowerCase().lastIndexOf('about ') + 6)}`);
}
