import { isKindOf } from '../recall/kinds';
import { readAsked } from '../recall/asking';
import { conceptOf, toWords, type Word } from '../recall/words';
import { tokenize } from '../text/tokenizer';
import { nameOf, resolve, USER } from './people';
import { kindOf, marksOf } from './standing';
import { attributesOf, isPersonNoun, topicsOf } from './topics';
import type { FactAnswer, KnownFact } from './types';

const MAX_QUERY = 1_000;
const MAX_TOLD = 4;
/** A question and a fact have at least so much in common. */
const MIN_SCORE = 1.5;
const DETAIL = / detail$/;
/** Attributes of what somebody came to have, where nothing says what it is. */
const ACQUIRING = /^(?:sign|join|get|buy|begin|switch|try|move|go|com|tak|be|hav|open|pick|choos)(?: |$)/;

const isCertain = ({ doubtedAt, validTo }: KnownFact): boolean =>
  doubtedAt === undefined || validTo !== undefined;

interface Asked {
  readonly topics: ReadonlySet<string>;
  readonly attributes: ReadonlySet<string>;
  readonly nouns: readonly string[];
  readonly text: string;
}

interface Scored {
  readonly fact: KnownFact;
  readonly order: number;
  readonly score: number;
}

/**
 * Answers a question from facts: with what holds now, or that nothing holds any more where the last value has ended. Undefined
 * where no fact is about what is asked.
 * @param all of any time, in the order in which they began; those that are doubted give no answer
 */
export function answerFromFacts(query: string, all: readonly KnownFact[]): FactAnswer | undefined {
  const facts = all.filter(isCertain);
  const words = toWords(tokenize(query.slice(0, MAX_QUERY)).tokens);
  const lowers = words.map(({ lower }) => lower);
  const text = ` ${lowers.join(' ')} `;
  const isAsking = / (?:what|which|who|whom|whose|where|when|how|do|does|am|is|are|have|has) /.test(text);
  if (!isAsking || readAsked(query)?.want === 'whether') return undefined;
  const asked = {
    topics: topicsOf(lowers),
    attributes: attributesOf(lowers),
    nouns: nounsAsked(lowers),
    text,
  };
  const subject = subjectIn(words, facts);
  const isPast = / (?:did|was|were|used) .*(?:before|previous|used to)|previous|last time /.test(text);
  const of = (whose: string): Scored[] =>
    rank(
      facts.filter((fact) => fact.subject === whose),
      asked,
    );
  const own = of(subject);
  const scored = own.length === 0 && subject !== USER ? of(USER) : own;
  const [first] = scored;
  if (!first) {
    const others =
      subject === USER
        ? rank(
            facts.filter((fact) => fact.subject !== USER),
            asked,
          )
        : [];
    return others[0] && refuse('You told me that of others, and not of yourself.', others[0].fact);
  }
  const best = scored.find(({ fact }) => (fact.validTo === undefined) !== isPast && stands(fact, facts));
  if (!best || (!isPast && first.fact.attribute !== best.fact.attribute && first.score > best.score + 1)) {
    const next = isPast ? undefined : successorOf(first.fact, facts);
    return next
      ? tell([next])
      : refuse('That is no longer so, and I know of nothing in its place.', first.fact);
  }
  const isAlike = ({ fact, score }: Scored): boolean =>
    fact.attribute === best.fact.attribute &&
    score === best.score &&
    !fact.single &&
    fact.validTo === undefined &&
    fact.validFrom === best.fact.validFrom;
  const same = isPast ? [] : scored.filter(isAlike).map(({ fact }) => fact);
  return tell(same.length > 1 ? same.slice(0, MAX_TOLD) : [best.fact]);
}

function tell(facts: readonly KnownFact[]): FactAnswer {
  const values = [...new Set(facts.map(({ value }) => value))].join(', ');
  return { text: `You told me: ${values}.`, factIds: facts.map(({ id }) => id) };
}

function refuse(text: string, { id }: KnownFact): FactAnswer {
  return { text, factIds: [id] };
}

/** The facts that have something in common with the question: the best first, of equal ones the latest. */
function rank(facts: readonly KnownFact[], asked: Asked): Scored[] {
  return facts
    .map((fact, order) => ({ fact, order, score: scoreOf(fact, asked) }))
    .filter(({ score }) => score > 0)
    .sort(
      (one, other) =>
        other.score - one.score || other.fact.validFrom - one.fact.validFrom || one.order - other.order,
    );
}

function scoreOf(fact: KnownFact, { topics, attributes, nouns, text }: Asked): number {
  const { value, attribute } = fact;
  // A value that the question itself has is what it asks about, and no answer.
  if ([...marksOf(value)].every((mark) => topics.has(mark) || mark === conceptOf('name'))) return 0;
  const base = attribute.replace(/(?: time| number| place)?(?: detail)?$/, '');
  const about = new Set([...(fact.about ?? '').split(' '), ...base.split(' ').map(conceptOf)]);
  const shared = [...topics].filter((topic) => about.has(topic)).length;
  const head = value.toLowerCase().split(/\s+/).at(-1) ?? '';
  const kind = kindOf(value);
  const byClass = attributes.has(base) || attributes.has(attribute);
  const place = /(?:^| )(at|in|with|for|to|from|on)(?: |$)/.exec(attribute)?.[1] ?? '';
  const isPlace =
    kind === 'name' &&
    /^(?:at|in|to|from|with)$/.test(place) &&
    (/ where /.test(text) || nouns.some(isPlaceNoun));
  const verb = base.split(' ')[0] ?? '';
  const byVerb =
    /^(?:use|tak|keep|put|wear|rid|giv|with)$/.test(verb) &&
    lowersOf(text).some((word) => conceptOf(word) === verb)
      ? 2
      : 0;
  const direct =
    (topics.has(attribute) ? 1 : 0) - (/ place$/.test(attribute) && !/ (?:where|which) /.test(text) ? 1 : 0);
  let score =
    direct +
    byVerb +
    2 * shared +
    (byClass ? 2 : 0) +
    (nouns.some((noun) => isKindOf(head, noun) || isKindOf(base, noun)) ? 2 : 0) +
    (isPlace ? 1.5 : 0);
  if (score < MIN_SCORE) return 0;
  score +=
    (place !== '' && new RegExp(` ${place} (?:\\? )?$`).test(text) ? 1 : 0) -
    (DETAIL.test(attribute) ? 1 : 0) -
    (kind === 'thing' ? 0.5 : 0);
  if (/ how (?:much|many|high|big|long|old) | (?:size|rate|rent|salary|number|budget|dose) /.test(text))
    score += /\d/.test(value) ? 2 : -2;
  else if (/ how (?:do|am|are) /.test(text) && kind === 'number') score -= 3;
  else if (/ (?:when|day|time) /.test(text)) score += kind === 'time' ? 2 : -2;
  else if (kind === 'number' || kind === 'time') score -= 1;
  if (/ who /.test(text)) score += kind === 'name' ? 1 : -2;
  if (/ where | (?:city|town) /.test(text) && kind === 'name') score += 1;
  return / email /.test(text) ? score + (kind === 'email' ? 2 : -2) : score;
}

function lowersOf(text: string): string[] {
  return text.trim().split(' ');
}

function isPlaceNoun(noun: string): boolean {
  return ['organization', 'building', 'institution', 'facility', 'city'].some((kind) => isKindOf(noun, kind));
}

/** A detail stands only as long as what it was told of. */
function stands(fact: KnownFact, facts: readonly KnownFact[]): boolean {
  if (!DETAIL.test(fact.attribute)) return true;
  const main = facts.filter(
    (one) => !DETAIL.test(one.attribute) && one.about === fact.about && one.subject === fact.subject,
  );
  return main.length === 0 || main.some(({ validTo }) => validTo === undefined);
}

/** What somebody came to have after something of the same kind had ended: `The Tannery went bust. Signed up with Loom House.` */
function successorOf(
  { validTo = Infinity, subject, value }: KnownFact,
  facts: readonly KnownFact[],
): KnownFact | undefined {
  const kind = kindOf(value);
  const isNext = (fact: KnownFact): boolean =>
    fact.subject === subject &&
    fact.validTo === undefined &&
    fact.validFrom >= validTo &&
    ACQUIRING.test(fact.attribute);
  return kind === 'thing'
    ? undefined
    : facts.find((fact) => isNext(fact) && /code|name/.test(kindOf(fact.value)) === /code|name/.test(kind));
}

/** Whom a question is about: somebody of whom facts are known, a relative of whom none are, or the user. */
function subjectIn(words: readonly Word[], facts: readonly KnownFact[]): string {
  const lowers = words.map(({ lower }) => lower);
  const subjects = [...new Set(facts.map(({ subject }) => subject))].filter((subject) => subject !== USER);
  const shared = (subject: string): number =>
    subject.split(' ').filter((word) => lowers.includes(word)).length;
  const [best] = [...subjects].sort((one, other) => shared(other) - shared(one));
  const names = best?.split(' ').filter((word) => lowers.includes(word)) ?? [];
  const isMine = facts.some(({ subject, attribute }) => {
    const role = attribute.split(' ');
    return (
      subject === USER &&
      role.every((word) => lowers.includes(word)) &&
      names.every((word) => role.includes(word))
    );
  });
  if (
    isMine &&
    /^(?:my|our)$/.test(lowers.find((lower) => /^(?:my|our|his|her|'s)$/.test(lower)) ?? '') &&
    !lowers.includes("'s")
  )
    return USER;
  if (best !== undefined && shared(best) > 0 && !lowers.includes('i')) return best;
  const person = words.find(
    ({ lower }, at) =>
      isPersonNoun(lower) &&
      (words[at + 1]?.lower === "'s" || /^\p{Lu}/u.test(words[at + 1]?.token.text ?? '')),
  );
  return person ? resolve(nameOf([person.lower]), { subjects }) : USER;
}

/** The nouns that `what` or `which` asks for. */
function nounsAsked(lowers: readonly string[]): string[] {
  const at = lowers.findIndex((lower) => lower === 'what' || lower === 'which');
  const isOver = (lower: string): boolean =>
    /^(?:do|does|did|am|is|are|'s|has|have|should|can|will|i|was|were|my|our|\?)$/.test(lower);
  const end = lowers.findIndex((lower, place) => place > at && isOver(lower));
  return at === -1 ? [] : lowers.slice(at + 1, end === -1 ? undefined : end).slice(-3);
}
