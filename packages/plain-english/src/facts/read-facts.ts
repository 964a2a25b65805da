import { conceptOf } from '../recall/words';
import { attributeOf } from './attribute';
import { change } from './change';
import { doubtsOf } from './doubts';
import { type Mention, mentionsOf } from './mentions';
import { nameOf, subjectOf, UNKNOWN, USER } from './people';
import { isDetail, type Part, Reading } from './reading';
import { type Clause, clausesOf } from './segments';
import { findMention, marksOf, type Standing } from './standing';
import { isNamed, topicsOf } from './topics';
import type { KnownFact, SaidFact } from './types';
import { invertedAt, update } from './update';
import { BACK, CORRECTED, NOW, TAKEN_BACK, UNREAL } from './words';

/**
 * Reads the facts that a message says. What it wishes, asks, supposes, denies or reports of others is no fact about its author.
 * @param known the facts that hold before the message, the latest first: they say what `it` is in `I sold it`
 */
export function readFacts(message: string, known: readonly KnownFact[]): SaidFact[] {
  const reading = new Reading(message, known);
  const clauses = clausesOf(message);
  for (const clause of clauses) readClause(clause, reading);
  // What is taken back holds no more, even where nothing tells what holds instead.
  const back = clauses.find(({ text }) => TAKEN_BACK.test(text));
  const [latest] = reading.standing.filter(({ said }) => said === undefined);
  if (back && latest && reading.gone.length === 0) reading.end(back, latest);
  const read = [...reading.said, ...repeatsOf(message, clauses, known, reading.said)];
  const said = read.map((one) => ({ ...one, certain: isNamed(one.attribute) }));
  return [...said, ...doubtsOf(message, known, said)];
}

/** Known facts that are said once more, so that the message is another source of them. */
function repeatsOf(
  message: string,
  clauses: readonly Clause[],
  known: readonly KnownFact[],
  said: readonly SaidFact[],
): SaidFact[] {
  const lower = message.toLowerCase();
  const mentioned = known.filter(({ value }) => lower.includes(value.toLowerCase()));
  if (mentioned.length === 0) return [];
  const alone = new Reading(message, []);
  for (const clause of clauses) readClause(clause, alone);
  const isSame = (one: SaidFact, { subject, attribute, value }: KnownFact): boolean =>
    one.subject === subject &&
    one.attribute === attribute &&
    one.value?.toLowerCase() === value.toLowerCase();
  const isOf = (one: SaidFact) => (other: SaidFact) =>
    one.subject === other.subject && one.attribute === other.attribute;
  return alone.said.filter(
    (one) => one.change === 'holds' && mentioned.some((fact) => isSame(one, fact)) && !said.some(isOf(one)),
  );
}

function readClause(clause: Clause, reading: Reading): void {
  const { text, sentence } = clause;
  if (CORRECTED.test(text) || /^ (?:(?:oh|no|ah|hmm|,) )*sorry /.test(text)) reading.corrects = true;
  const part = partOf(clause, reading);
  if (clause.asks && part.hits[0]) reading.touched = part.hits[0].fact;
  if (clause.asks || UNREAL.test(text) || part.subject === UNKNOWN) return;
  const isPreferred = / (?:is|are|'s) (?:now |still |always )?(?:my|our) /.test(text);
  const preferred = isPreferred ? invertedAt(part, part.mentions) : undefined;
  const goneFirst = reading.gone.some((fact) => {
    const { from } = findMention(fact, clause);
    return from !== -1 && from < clause.verb;
  });
  if (preferred) prefer(part, preferred, reading);
  else if (!change(part, reading) && (!goneFirst || BACK.test(text))) update(part, reading);
  if (NOW.test(text)) reading.newIn = sentence;
}

function partOf(clause: Clause, reading: Reading): Part {
  const { text, sentence } = clause;
  const known = new Set(reading.context.subjects);
  const subject = subjectOf(clause, reading.context);
  const own = new Set(subject.split(' ').map(conceptOf));
  const topics = new Set([...topicsOf(clause.lowers)].filter((topic) => !own.has(topic)));
  const before = reading.topics;
  const goesOn = reading.sentence === sentence && [...topics].some((topic) => before.has(topic));
  const isPronoun = /^ (?:it|he|she|they|hers|his|that|this|the) | it (?:is|'s) /.test(text);
  if (!clause.asks) reading.sentence = sentence;
  reading.topics = topics;
  const mentions = mentionsOf(clause, reading.message);
  const hits = reading.standing
    .filter((fact) => fact.subject === subject || fact.subject === USER || subject === USER)
    .map((fact) => ({ fact, ...findMention(fact, clause) }))
    .filter((hit) => hit.from !== -1 && !mentions.some((mention) => isNamesake(mention, hit)))
    .sort((one, other) => Number(isDetail(one.fact)) - Number(isDetail(other.fact)));
  const gone = BACK.test(text) ? [] : reading.gone.map((fact) => findMention(fact, clause));
  const taken = [...hits, ...gone].filter(({ from }) => from !== -1);
  const isSubject = ({ kind, text: name }: Mention): boolean =>
    kind === 'name' && known.has(subject) && subject.includes(nameOf(name.toLowerCase().split(' ')));
  const free = mentions.filter(
    (one) => !isSubject(one) && !taken.some(({ from, to }) => from < one.to && to > one.from),
  );
  return {
    clause,
    subject,
    topics,
    about: [...topics, ...(isPronoun || goesOn ? before : [])],
    hits,
    mentions,
    free,
  };
}

/** Priya Ellsworth is not Priya Nandakumar. */
function isNamesake(
  { kind, from, to, text }: Mention,
  hit: { fact: Standing; from: number; to: number },
): boolean {
  const { marks } = hit.fact;
  if (kind !== 'name' || hit.fact.kind !== 'name' || from > hit.from || to < hit.to || marks.size < 2)
    return false;
  const others = marksOf(text);
  return [...others].some((mark) => !marks.has(mark)) && [...marks].some((mark) => !others.has(mark));
}

/** `Elixir is my favourite language` takes the place of what was the favourite one. */
function prefer({ clause, subject, about }: Part, mention: Mention, reading: Reading): void {
  const { attribute, single } = attributeOf(clause, { ...mention, kind: 'name', from: 0, to: 1 }, true, true);
  const value = mention.text;
  const old = reading.standing.find(
    (fact) => fact.subject === USER && fact.attribute === attribute && fact.value !== value,
  );
  if (old) reading.replace(clause, old, value, about);
  else reading.add(clause, { subject, attribute, single, value }, about);
}
