import { conceptOf } from '../recall/words';
import { attributeOf } from './attribute';
import type { Mention } from './mentions';
import { USER } from './people';
import type { Part, Reading } from './reading';
import type { Clause } from './segments';
import { likeness, marksOf, type Standing } from './standing';
import { attributesOf } from './topics';
import { ACQUIRED, BACK, NOW } from './words';

const CUE =
  /^(?:to|with|for|against|at|on|in|as|by|is|are|am|be|been|'s|was|got|took|into|using|use|have|has|join|joined|of|under|go|gone|goes|from|called|said|)$/;
const REASON =
  / (?:because of|due to|thanks to|owing to|instead of|rather than|after|before) (?:the |an? |my )?$/;

/** The mentions that may take the place of a value, the best first. */
export function rankCandidates(
  free: readonly Mention[],
  fact: Standing,
  clause: Clause,
  corrects: boolean,
): Mention[] {
  const isTimed = fact.kind === 'time';
  return free
    .filter((mention) => !mention.isWhen && !isTopic(mention, fact))
    .filter(({ kind }) => (kind === 'time') === isTimed || (isTimed && kind === 'number'))
    .map((mention) => ({ mention, score: scoreOf(mention, fact, clause) }))
    .filter(
      ({ score, mention }) =>
        score >= 3 &&
        (mention.kind !== 'thing' || fact.kind === 'thing' || corrects || BACK.test(clause.text)),
    )
    .sort((one, other) => other.score - one.score)
    .map(({ mention }) => mention);
}

/** True for a mention that only names what the fact is about: the phone of `my phone now`. */
function isTopic({ kind, text }: Mention, fact: Standing): boolean {
  const words = new Set([...fact.about, ...fact.attribute.split(' ').map(conceptOf)]);
  const marks = [...marksOf(text)];
  return (
    kind === 'thing' &&
    marks.length > 0 &&
    (marks.every((mark) => words.has(mark)) ||
      attributesOf([text.toLowerCase().split(' ').at(-1) ?? '']).has(fact.attribute))
  );
}

function scoreOf(mention: Mention, fact: Standing, { lowers, verb }: Clause): number {
  const like = likeness(mention, fact);
  const lead = ` ${lowers.slice(Math.max(0, mention.from - 3), mention.from).join(' ')} `;
  const isSubject =
    mention.kind === 'thing' && mention.from < verb && verb < lowers.length && lowers.at(-1) !== 'is';
  if (like === 0 || isSubject || REASON.test(lead)) return 0;
  const isNext = NOW.test(lead) || / (?:with|for|to|against|now) (?:an? |the )?$/.test(lead);
  return (
    like +
    (CUE.test(mention.before) ? 1 : 0) +
    (mention.from >= verb || verb === lowers.length ? 1 : 0) +
    (isNext ? 1 : 0)
  );
}

const RETURN = / (?:back (?:to|on|at|in|with|home)|returned|once more|again) /;

interface Asked extends Part {
  /** True where the clause has any word of change. */
  readonly marked: boolean;
  readonly standing: readonly Standing[];
  readonly reading: Reading;
}

/** The fact that a clause changes without a mention of its value, and its new value. */
export function linkOf(asked: Asked): { fact: Standing; mention: Mention } | undefined {
  const { clause, subject, marked, topics, standing, reading } = asked;
  const { ended, corrects } = reading;
  const goesOn = reading.newIn === clause.sentence;
  let best: { fact: Standing; mention: Mention; score: number } | undefined;
  const attributes = attributesOf(clause.lowers);
  const isFragment = clause.verb === clause.lowers.length;
  const strong =
    NOW.test(clause.text) ||
    corrects ||
    / it is $/.test(clause.text) ||
    (goesOn && (isFragment || / it (?:is|'s) /.test(clause.text)));
  (ended ? [ended, ...standing] : standing).forEach((fact, at) => {
    const isOther =
      fact.subject !== subject && fact !== ended && !(subject === USER && (corrects || isFragment));
    if (isOther || fact.said?.start === clause.start) return;
    const [mention] = rankCandidates(asked.free, fact, clause, corrects);
    if (!mention) return;
    const own = attributeOf(clause, mention, subject === USER);
    if (own.attribute === 'home' && fact.attribute === 'name') return;
    const shared = [...topics].filter((topic) => fact.about.has(topic)).length;
    const isSame = own.attribute === fact.attribute && !own.general;
    const isNamed = fact.attribute.split(' ').some((word) => topics.has(conceptOf(word)));
    const topical =
      (isSame ? 3 : 0) +
      (isNamed ? 2 : 0) +
      (attributes.has(fact.attribute) ? 2 : 0) +
      2 * Math.min(2, shared);
    const like = likeness(mention, fact);
    const isFree = own.general || isFragment || corrects;
    const isLinked =
      (topical >= 2 && marked) ||
      (isSame && fact.single && like >= 2) ||
      (like >= 3 && (strong || ACQUIRED.test(clause.text)) && isFree && mention.kind !== 'thing') ||
      (like >= 2 && strong && isFree && / (?:it is|it 's|i am|is now|we are) /.test(clause.text)) ||
      (corrects && like >= 2 && isFree) ||
      (like >= (mention.kind === 'time' ? 3 : 4) && isFree && isFragment) ||
      (like >= 2 && isFree && mention.before === 'to' && ACQUIRED.test(clause.text)) ||
      (fact === reading.touched && like >= 1 && marked && isFree) ||
      (like >= 1 && isFree && RETURN.test(clause.text)) ||
      (fact === ended &&
        like >= 1 &&
        (marked ||
          strong ||
          / (?:it|that|i|we) (?:is|am|are|'s) /.test(clause.text) ||
          (like >= 3 && own.general)));
    const score = topical + like + (fact === ended || fact === reading.touched ? 3 : 0) - at * 0.1;
    if (isLinked && (!best || score > best.score)) best = { fact, mention, score };
  });
  return best;
}
