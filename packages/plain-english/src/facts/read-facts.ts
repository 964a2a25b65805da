import { conceptOf } from '../recall/words';
import { attributeOf } from './attribute';
import { linkOf, rankCandidates } from './link';
import { mentionsOf, type Mention } from './mentions';
import { type Context, nameOf, subjectOf, UNKNOWN, USER } from './people';
import { type Clause, clausesOf } from './segments';
import { aboutText, findMention, marksOf, type Standing, standingOf } from './standing';
import { topicsOf } from './topics';
import type { KnownFact, SaidFact } from './types';
import {
  ACQUIRED,
  BACK,
  CHANGED,
  CORRECTED,
  ENDED,
  NEGATED,
  NOW,
  REPORTS,
  SUCCEEDED,
  TAKEN,
  UNREAL,
} from './words';

/** Facts that hold before a message and are compared with it, the latest first. */
const MAX_KNOWN = 60;
/** Facts that one clause says. */
const MAX_SAID = 4;
const DETAIL = ' detail';

/** What a message has said up to a clause. */
interface Reading {
  readonly message: string;
  readonly context: Context;
  readonly said: SaidFact[];
  standing: Standing[];
  /** What ended in this message, while nothing took its place. */
  ended: Standing | undefined;
  corrects: boolean;
  topics: ReadonlySet<string>;
  /** The last sentence that said that something is new. */
  newIn: number;
}

/** One clause with what was found in it. */
interface Part {
  readonly clause: Clause;
  readonly subject: string;
  readonly topics: ReadonlySet<string>;
  readonly about: string;
  /** Known facts whose values it mentions. */
  readonly hits: readonly { readonly fact: Standing; readonly from: number; readonly to: number }[];
  /** Mentions that are no known value. */
  readonly free: readonly Mention[];
}

/**
 * Reads the facts that a message says. What it wishes, asks, supposes, denies or reports of others is no fact about its author.
 * @param known the facts that hold before the message, the latest first: they say what `it` is in `I sold it`
 */
export function readFacts(message: string, known: readonly KnownFact[]): SaidFact[] {
  const standing = known.slice(0, MAX_KNOWN).map((fact) => standingOf(fact));
  const subjects = [...new Set(standing.map(({ subject }) => subject))].filter((subject) => subject !== USER);
  const valued = standing.filter(({ kind }) => kind !== 'thing');
  const values = new Map(
    valued.flatMap(({ subject, marks }) => [...marks].map((mark) => [mark, subject] as const)),
  );
  const context: Context = {
    subjects,
    values,
    person: subjects[0] ?? UNKNOWN,
    last: USER,
    reporter: undefined,
    sentence: -1,
  };
  const reading: Reading = {
    message,
    context,
    standing,
    said: [],
    ended: undefined,
    corrects: false,
    topics: new Set(),
    newIn: -1,
  };
  for (const clause of clausesOf(message)) readClause(clause, reading);
  return reading.said;
}

function readClause(clause: Clause, reading: Reading): void {
  if (CORRECTED.test(clause.text)) reading.corrects = true;
  const subjects = new Set(reading.context.subjects);
  const subject = subjectOf(clause, reading.context);
  const topics = new Set(
    [...topicsOf(clause.lowers)].filter(
      (topic) => !subject.split(' ').some((word) => conceptOf(word) === topic),
    ),
  );
  const before = reading.topics;
  reading.topics = topics;
  if (clause.asks || UNREAL.test(clause.text) || subject === UNKNOWN) return;
  const mentions = mentionsOf(clause, reading.message);
  const hits = reading.standing
    .filter((fact) => fact.subject === subject || fact.subject === USER || subject === USER)
    .map((fact) => ({ fact, ...findMention(fact, clause) }))
    .filter(
      ({ fact, from, to }) => from !== -1 && !mentions.some((mention) => isNamesake(mention, fact, from, to)),
    )
    .sort((one, other) => Number(isDetail(one.fact)) - Number(isDetail(other.fact)));
  const isPronoun = /^ (?:it|he|she|they|hers|his|that|this|the) | it (?:is|'s) /.test(clause.text);
  const isSubject = (text: string): boolean =>
    subjects.has(subject) && subject.includes(nameOf(text.toLowerCase().split(' ')));
  const free = mentions
    .filter(({ from, to }) => !hits.some((hit) => hit.from < to && hit.to > from))
    .filter(({ kind, text }) => kind !== 'name' || !isSubject(text));
  const part: Part = {
    clause,
    subject,
    topics,
    about: aboutText(topics, isPronoun ? before : []),
    hits,
    free,
  };
  if (!change(part, reading)) update(part, reading);
  if (NOW.test(clause.text)) reading.newIn = clause.sentence;
}

/** Priya Ellsworth is not Priya Nandakumar. */
function isNamesake({ kind, from, to, text }: Mention, fact: Standing, start: number, end: number): boolean {
  if (kind !== 'name' || fact.kind !== 'name' || from > start || to < end || fact.marks.size < 2)
    return false;
  const marks = marksOf(text);
  return [...marks].some((mark) => !fact.marks.has(mark)) && [...fact.marks].some((mark) => !marks.has(mark));
}

/** A clause that mentions known values: they end, give way, come back, or are only mentioned. False for the last. */
function change({ clause, subject, hits, free, about }: Part, reading: Reading): boolean {
  const { text, verb, words } = clause;
  let acted = false;
  for (const { fact, from, to } of hits) {
    if (!reading.standing.includes(fact)) continue;
    const isTaken = subject !== USER && fact.subject === USER && TAKEN.test(text);
    const ends = ENDED.test(text) || NEGATED.test(text) || isTaken;
    const changes = ends || NOW.test(text) || CHANGED.test(text) || reading.corrects;
    if (!changes) continue;
    if (isHeld(clause, from, to)) {
      acted = true;
      continue;
    }
    const mayFollow = from >= verb || verb === words.length || SUCCEEDED.test(text) || reading.corrects;
    const [next] = mayFollow ? rankCandidates(free, fact, clause, reading.corrects) : [];
    if (next) replace(reading, clause, fact, next.text, about);
    else if (ends) end(reading, clause, fact);
    else continue;
    acted = true;
  }
  return acted;
}

/** True where a value stays, or is the one that things go back to. */
function isHeld({ lowers, text }: Clause, from: number, to: number): boolean {
  const lead = ` ${lowers.slice(Math.max(0, from - 4), from).join(' ')} `;
  if (
    / (?:instead of|rather than|from|not|never|ditched|dropped|quit|left|sold|old|than|no) (?:\S+ ){0,3}$/.test(
      lead,
    )
  )
    return false;
  if (BACK.test(lead)) return true;
  const tail = ` ${lowers.slice(to, to + 3).join(' ')} `;
  return / (?:stays?|still|again|once more|remains?|as before) /.test(tail) || / still /.test(text);
}

/** A clause that changes a known fact on the same topic, or says new ones. */
function update({ clause, subject, free, topics, about }: Part, reading: Reading): void {
  const { text } = clause;
  const { corrects, ended } = reading;
  if (NEGATED.test(text)) return;
  const marked = corrects || [NOW, CHANGED, BACK].some((words) => words.test(text));
  const standing = reading.standing.filter((fact) => !isDetail(fact));
  const target = linkOf({
    clause,
    subject,
    free,
    topics,
    marked,
    standing,
    ended,
    corrects,
    goesOn: reading.newIn === clause.sentence,
  });
  if (target) {
    replace(reading, clause, target.fact, target.mention.text, about);
    return;
  }
  if (REPORTS.test(text) && subject === USER && !/ (?:i|we) /.test(text)) return;
  if (ENDED.test(text) && !NOW.test(text) && !ACQUIRED.test(text)) return;
  const inverted = invertedAt(clause, subject, free);
  const said = free
    .filter(
      (one) =>
        !one.isWhen &&
        (inverted ? one === inverted : one.from >= clause.verb || clause.verb === clause.words.length),
    )
    .slice(0, MAX_SAID);
  const isNamed = said.some(({ kind }) => groupOf(kind) === 'name');
  for (const mention of said) {
    const first = said.find(({ kind }) => groupOf(kind) === groupOf(mention.kind)) ?? mention;
    const isListed = mention !== first && /^(?:and|or|,|&)$/.test(mention.before);
    const isMain = (mention === first || isListed) && !(isNamed && mention.kind === 'thing');
    const found = attributeOf(clause, first, subject === USER, inverted !== undefined);
    const hasList = said.some(
      (one) =>
        one !== first && groupOf(one.kind) === groupOf(first.kind) && /^(?:and|or|&)$/.test(one.before),
    );
    const place =
      found.general && /^(?:at|in|with|for|on|to|from)$/.test(first.before) ? ` ${first.before}` : '';
    const main = `${found.attribute}${place}`;
    const group = groupOf(mention.kind);
    const isOther =
      (said[0] && groupOf(said[0].kind) !== group) ||
      reading.standing.some(
        (one) =>
          one.attribute === main && one.subject === subject && one.single && groupOf(one.kind) !== group,
      );
    const attribute = `${main}${isOther && isMain ? ` ${group === 'thing' || group === 'name' ? 'place' : group}` : ''}${isMain ? '' : DETAIL}`;
    const single = isMain && found.single && !hasList;
    add(reading, {
      subject,
      attribute,
      single,
      value: mention.text,
      change: 'holds',
      about,
      start: clause.start,
      end: clause.end,
    });
  }
}

function groupOf(kind: Mention['kind']): string {
  return kind === 'thing' || kind === 'number' || kind === 'time' ? kind : 'name';
}

function isDetail({ attribute }: Standing): boolean {
  return attribute.endsWith(DETAIL);
}

/** The value of `Elixir is my favourite language`, and of `Mr Adeyemi is in charge of me`. */
function invertedAt(
  { lowers, verb }: Clause,
  subject: string,
  free: readonly Mention[],
): Mention | undefined {
  const rest = ` ${lowers.slice(verb).join(' ')} `;
  const isNamed = free.some(({ from, kind }) => from >= verb && groupOf(kind) === 'name');
  const isMine =
    / (?:is|are|'s) (?:now |still |always )?(?:my|our|what (?:i|we)|the one) /.test(rest) ||
    (/ (?:me|us) /.test(rest) && !isNamed);
  const isTheirs = subject !== USER && rest.includes(` ${subject.split(' ').at(-1) ?? ''} `);
  return isMine || isTheirs
    ? free.find(({ from, kind }) => from < verb && (kind !== 'thing' || isMine))
    : undefined;
}

function add(reading: Reading, said: SaidFact & { value: string }): void {
  reading.said.push(said);
  const isOver = (one: Standing): boolean =>
    said.single && one.subject === said.subject && one.attribute === said.attribute;
  reading.standing = [standingOf(said, said), ...reading.standing.filter((one) => !isOver(one))];
}

/** A known fact gives way to a new value. */
function replace(reading: Reading, clause: Clause, old: Standing, value: string, about: string): void {
  const { corrects } = reading;
  endDetails(reading, clause, old);
  reading.standing = reading.standing.filter((one) => one !== old);
  reading.ended = undefined;
  reading.corrects = false;
  add(reading, {
    subject: old.subject,
    attribute: old.attribute.replace(DETAIL, ''),
    single: old.single,
    value,
    change: corrects ? 'corrects' : 'holds',
    replaces: old.value,
    about: aboutText(old.about, about === '' ? [] : about.split(' ')),
    start: clause.start,
    end: clause.end,
  });
}

function end(reading: Reading, clause: Clause, old: Standing): void {
  const { subject, attribute, single, value } = old;
  reading.said.push({
    subject,
    attribute,
    single,
    value,
    change: 'ends',
    start: clause.start,
    end: clause.end,
  });
  reading.standing = reading.standing.filter((one) => one !== old);
  reading.ended = old;
  endDetails(reading, clause, old);
  adopt(reading, old);
}

/** What was said of a value in the same clause ends with it. */
function endDetails(reading: Reading, clause: Clause, old: Standing): void {
  const isOfIt = (one: Standing): boolean =>
    one !== old &&
    one.subject === old.subject &&
    isDetail(one) !== isDetail(old) &&
    aboutText(one.about) === aboutText(old.about);
  for (const { subject, attribute, single, value } of reading.standing.filter(isOfIt))
    reading.said.push({
      subject,
      attribute,
      single,
      value,
      change: 'ends',
      start: clause.start,
      end: clause.end,
    });
  reading.standing = reading.standing.filter((one) => !isOfIt(one));
}

/** `I am at Dewsbury now, Pinderfields is behind me`: what was said just before takes the place of what ends. */
function adopt(reading: Reading, old: Standing): void {
  const next = reading.standing.find(
    ({ said, kind, subject }) =>
      said !== undefined && kind === old.kind && subject === old.subject && said.replaces === undefined,
  );
  const at = next?.said ? reading.said.indexOf(next.said) : -1;
  if (!next?.said || at === -1 || next.kind === 'thing' || next.said.single) return;
  const said = {
    ...next.said,
    value: next.value,
    attribute: old.attribute,
    single: old.single,
    replaces: old.value,
    about: aboutText(old.about, next.about),
  };
  reading.said[at] = said;
  reading.standing = reading.standing.map((one) => (one === next ? standingOf(said, said) : one));
  reading.ended = undefined;
}
