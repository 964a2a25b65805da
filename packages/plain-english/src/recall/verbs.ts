import { baseForm } from './words';

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Verbs that tell where a subject ends. */
const VERBS = list(
  'be have do like love enjoy prefer adore fancy hate dislike detest loathe despise live reside work own possess keep adopt buy get study ' +
    'learn practise practice consume use start begin finish end cost pay lead head run jog see watch fly travel go come play speak ' +
    'drive ride eat drink cook weigh turn need want take give make meet move call name drop leave arrive teach sell rent visit stay ' +
    'park write read sing swim walk sleep wake open close expire increase cover mean stand say contain include require allow last ' +
    'happen belong marry graduate retire smoke quit stop hide store put plan hope train collect support follow wear charge ' +
    'earn spend save owe lend borrow grow build paint bake miss know help look seem become remain sit lie hang depart land return ' +
    'receive send order book schedule change switch own handle manage design found invent create lose scrap bear feed call provide offer apply ship ' +
    'rise fall burn measure hold fit seat host attend join celebrate recommend suggest promise invite introduce explain show hear believe try win fail pass beat climb cycle commute ' +
    'volunteer donate vote translate perform coach mentor repair fix wash plant brew boil melt freeze arrive deliver return remind ' +
    'agree decide choose pick teach inherit download install deploy migrate replace add remove update upgrade cancel renew mind tell ask break crash arrive',
);
export const BE = list('is are am was were be been being');
export const AUXILIARIES = list(
  'do does did have has had will would can could shall should may might must is are am was were be been being going to',
);
export const ADVERBS = list(
  'also always usually really now just actually still currently often only both never not mostly mainly generally normally ' +
    'sometimes recently finally already absolutely definitely totally truly simply especially particularly quite very so much ' +
    'rather probably basically all personally kind sort of secretly regularly rarely typically each',
);

/** The base of a word that is known as a verb, in any form of it. */
export function verbOf(word: string): string | undefined {
  const base = baseForm(word);
  if (VERBS.has(base)) return base;
  for (const candidate of candidates(word)) if (VERBS.has(candidate)) return candidate;
  return undefined;
}

function candidates(word: string): string[] {
  const found: string[] = [];
  if (word.endsWith('ies') || word.endsWith('ied')) found.push(`${word.slice(0, -3)}y`);
  if (word.endsWith('ing')) found.push(word.slice(0, -3), `${word.slice(0, -3)}e`, word.slice(0, -4));
  if (word.endsWith('ed')) found.push(word.slice(0, -2), word.slice(0, -1), word.slice(0, -3));
  if (word.endsWith('es')) found.push(word.slice(0, -2));
  if (word.endsWith('s')) found.push(word.slice(0, -1));
  return found;
}
