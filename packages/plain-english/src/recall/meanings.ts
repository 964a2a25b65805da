import { linksOf, nameOfSense, remembered, sensesOf, type PartOfSpeech } from './wordnet';
import { baseForm, conceptOf, SAME } from './words';
import { singular } from './kinds';

/** How many senses of a word count: a rare one misleads more often than it helps. */
const MAX_SENSES: Readonly<Record<PartOfSpeech, number>> = { noun: 2, verb: 3, adj: 2 };
/** How near two words are that are in one sense, derived from one another, one a kind of the other, or share a situation. */
const SYNONYM = 0.95;
const DERIVED = 0.9;
const KIND = 0.8;
const SITUATION = 0.88;

/** Words that tell of the same situation, from another side or by another part of speech. */
const SITUATIONS = `
  live address move reside home based / work job employ company office firm profession / buy sell get order pay purchase
  bargain / cost pay price charge spend bill fee expensive owe / give get receive lend present / lend borrow have /
  teach learn teacher tutor lesson course class / leave go depart quit resign drop / begin start open / meet see meeting
  appointment visit / die funeral death / earn salary get pay wage raise / like love favourite prefer enjoy best mad
  hate adore / fear afraid scared phobia / hurt break sprain injure twist / put keep store leave hide / put move park /
  lose left / registration plate / from born native originally / from grow hometown / birthday turn / marry wedding husband
  wife spouse anniversary / tall height high metre / weigh weight kilo heavy / invite guest / baby pregnant expect due /
  baby birth born / argue fall quarrel / return send back refund / eat lunch / eat dinner / eat breakfast / eat have /
  eat food / win beat / commute work / commute bike / house flat building apartment home / head run lead manage charge /
  go attend / hold place / holiday off / want charge / drive car ride park / rent landlord landlady tenant / repair fix
  mend service / boyfriend girlfriend date partner / end until finish last expire run valid / deadline due hand submit /
  travel go going visit fly off trip camp / study graduate degree university college
`
  .trim()
  .split(/\s+\/\s+/)
  .map((group) => group.split(/\s+/));
const SITUATION_OF = new Map<string, Set<number>>();
SITUATIONS.forEach((group, index) => {
  for (const word of group.map(conceptOf)) {
    const known = SITUATION_OF.get(word) ?? new Set<number>();
    SITUATION_OF.set(word, known.add(index));
  }
});

/** What a word may stand for: senses with how surely it does. */
interface Meaning {
  readonly own: ReadonlySet<string>;
  readonly near: ReadonlyMap<string, number>;
}

const cache = new Map<string, Meaning>();
const pairs = new Map<string, number>();

/** How near a word that goes with everything is to another: only where both tell of one situation. */
export function nearBySituation(left: string, right: string): number {
  const [a, b] = [SITUATION_OF.get(conceptOf(left)), SITUATION_OF.get(conceptOf(right))];
  return a && b && [...a].some((one) => b.has(one)) ? SITUATION : 0;
}

/** Words with which people tell of what a word tells of. */
export function wordsOfSituation(word: string): readonly string[] {
  const concept = conceptOf(word);
  return [...SITUATIONS, ...SAME].filter((group) => group.some((one) => conceptOf(one) === concept)).flat();
}

/** How near two words are in meaning, 0 to 1; 1 for forms of one word. */
export function relatedness(left: string, right: string): number {
  if (left === right) return 1;
  return remembered(pairs, left < right ? `${left} ${right}` : `${right} ${left}`, () =>
    compare(left, right),
  );
}

function compare(left: string, right: string): number {
  const [a, b] = [conceptOf(left), conceptOf(right)];
  if (a === b) return 1;
  return Math.max(nearBySituation(left, right), bySense(meaningOf(left), meaningOf(right)));
}

function bySense(left: Meaning, right: Meaning): number {
  let best = 0;
  for (const sense of left.own) {
    if (right.own.has(sense)) return SYNONYM;
    best = Math.max(best, right.near.get(sense) ?? 0);
  }
  for (const sense of right.own) best = Math.max(best, left.near.get(sense) ?? 0);
  return best;
}

function meaningOf(word: string): Meaning {
  return remembered(cache, word, () => {
    const own = new Set<string>();
    const near = new Map<string, number>();
    for (const [part, bases] of basesOf(word)) {
      const base = bases.find((one) => sensesOf(one, part).length > 0);
      if (base === undefined) continue;
      for (const sense of sensesOf(base, part).slice(0, MAX_SENSES[part])) {
        own.add(nameOfSense(sense, part));
        const { parents, derived } = linksOf(sense, part);
        for (const one of parents) near.set(one, Math.max(near.get(one) ?? 0, KIND));
        for (const one of derived) near.set(one, DERIVED);
      }
    }
    return { own, near };
  });
}

function basesOf(word: string): readonly (readonly [PartOfSpeech, readonly string[]])[] {
  return [
    ['noun', [word, singular(word)]],
    ['verb', verbBases(word)],
    ['adj', [word]],
  ];
}

/** The forms that a verb may have in a dictionary; of `gave_up`, `give_up`. */
export function verbBases(word: string): readonly string[] {
  const [verb = '', ...particle] = word.split('_');
  const tail = particle.length > 0 ? `_${particle.join('_')}` : '';
  const found = [baseForm(verb), verb];
  if (/ie[sd]$/.test(verb)) found.push(`${verb.slice(0, -3)}y`);
  if (verb.endsWith('ing')) found.push(verb.slice(0, -3), `${verb.slice(0, -3)}e`, verb.slice(0, -4));
  if (verb.endsWith('ed')) found.push(verb.slice(0, -2), verb.slice(0, -1), verb.slice(0, -3));
  if (verb.endsWith('es')) found.push(verb.slice(0, -2));
  if (verb.endsWith('s')) found.push(verb.slice(0, -1));
  return found.map((one) => one + tail);
}
