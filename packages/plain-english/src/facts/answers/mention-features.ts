import { isKindOf } from '../../recall/kinds';
import type { Want } from '../../recall/terms';
import { conceptOf } from '../../recall/words';
import { UNKNOWN, USER } from '../people';
import { attributesOf, isPersonNoun, topicOf } from '../topics';
import { common, type Features, put } from './features';
import { headOf } from './likeness';
import type { Question } from './question';
import { SIGNS } from './signs';
import type { Mention, StoryClause } from './story';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
/** Words before and after a mention that say something of it. */
const LEADS = set(
  'in at on to from with for as of by is be am are not than no into onto under over instead and or against',
);
const PLACING = set('in at to from on with for');
const NEXTS = set(
  "now again instead is was has any these since as from for at in to and but with , not until 's",
);
/** Wants that ask for the same kinds of values; the others are `what`. */
const WANTS: Partial<Readonly<Record<Want, string>>> = {
  amount: 'number',
  duration: 'number',
  age: 'number',
  often: 'number',
  code: 'code',
  time: 'time',
  place: 'place',
  person: 'person',
  name: 'name',
  email: 'email',
  job: 'job',
};
/** A sign is near where at most this number of words is between. */
const NEAR = 3;
/** Clauses before and after one that may say what it is about. */
const BEFORE = 4;
const AFTER = 2;

/** Whether a clause is about those of whom is asked. */
export type Relation = 'same' | 'part' | 'other' | 'unknown';

export function relationOf({ persons, topics }: Question, { subject }: StoryClause): Relation {
  if (subject === UNKNOWN) return 'unknown';
  const words = new Set(subject.split(' ').map(conceptOf));
  if (persons.length > 0) {
    const shared = persons.filter((one) => words.has(conceptOf(one))).length;
    return shared === persons.length ? 'same' : shared > 0 ? 'part' : 'other';
  }
  if (subject === USER) return 'same';
  return common(words, topics) > 0 ? 'part' : 'other';
}

export function ownerOf({ persons }: Question): 'mine' | 'theirs' {
  return persons.length === 0 ? 'mine' : 'theirs';
}

/** What a mention is like by itself: its kind, its place in its clause, what the clause has of the question, and of whom it is. */
export function mentionFeatures(
  question: Question,
  mention: Mention,
  clauses: readonly StoryClause[],
): Features {
  const features: Features = new Map();
  addForm(features, question, mention);
  addTopics(features, question, mention, clauses);
  addSubject(features, question, mention, clauses);
  addSigns(features, mention, clauses);
  return features;
}

function addForm(features: Features, question: Question, mention: Mention): void {
  const { at, from, to, kind, lead, article } = mention;
  const { lowers, verb } = at;
  const want = WANTS[question.want] ?? 'what';
  put(features, `kind ${kind}`, 1);
  put(features, `want ${want}, kind ${kind}`, 1);
  addLead(features, mention);
  if (PLACING.has(lead)) put(features, `want ${want}, lead ${lead}`, 1);
  put(features, `article ${article}`, 1);
  const next = lowers[to] ?? '';
  put(features, 'next end', next === '');
  if (NEXTS.has(next)) put(features, `next ${next}`, 1);
  const place = from - verb <= 2 ? 'object' : 'after object';
  put(features, verb === lowers.length ? 'in fragment' : from < verb ? 'before verb' : place, 1);
  const head = headOf(mention);
  put(
    features,
    'is kind asked',
    question.nouns.some((noun) => isKindOf(head, noun)),
  );
  put(features, 'is noun asked', question.topics.has(conceptOf(head)));
  put(features, 'is person noun', isPersonNoun(head));
  put(features, 'has words', to - from > 1);
  const said = lowers[verb] ?? '';
  put(features, 'verb be', /^(?:am|is|are|'s|was)$/.test(said));
  put(features, 'verb have', /^(?:have|has|had|got)$/.test(said));
  put(features, 'verb asked', at.action === question.verb && question.verb !== '');
  put(features, 'asks', at.asks);
  put(features, 'first message', at.message === 0);
}

/** The word before a mention, with a prefix for another mention of the same value. */
export function addLead(features: Features, { lead }: Mention, prefix = ''): void {
  if (LEADS.has(lead)) put(features, `${prefix}lead ${lead}`, 1);
}

function addTopics(
  features: Features,
  { topics, classes, lowers: asked }: Question,
  { at, from, to, lead }: Mention,
  clauses: readonly StoryClause[],
): void {
  const { lowers, verb } = at;
  const own = common(topics, at.topics);
  put(features, 'topics', Math.min(3, own));
  put(features, 'all topics', own === topics.size && own > 0);
  put(features, 'no topic', own === 0);
  put(features, 'classes', Math.min(2, common(classes, at.classes)));
  const isOnTopic = (one: StoryClause): boolean => common(topics, one.topics) > 0;
  put(features, 'topics before', own === 0 && before(at, clauses).some(isOnTopic));
  const after = clauses
    .slice(at.order + 1, at.order + 1 + AFTER)
    .filter(({ message }) => message === at.message);
  put(features, 'topics after', own === 0 && after.some(isOnTopic));
  const near = [...lowers.slice(Math.max(0, from - NEAR), from), ...lowers.slice(to, to + NEAR)];
  put(
    features,
    'topic near',
    near.some((word) => topics.has(conceptOf(word))),
  );
  put(features, 'lead asked', LEADS.has(lead) && asked.at(-1) === lead);
  // `The helmet was 55` says nothing of the bike.
  const heads =
    verb === lowers.length ? [] : lowers.slice(0, verb).filter((word) => topicOf(word) !== undefined);
  const isForeign =
    heads.length > 0 &&
    !heads.some((word) => topics.has(conceptOf(word))) &&
    common(classes, attributesOf(heads)) === 0;
  put(features, 'foreign subject', isForeign);
  put(features, 'foreign subject, named', isForeign && /^(?:my|our|the)$/.test(lowers[0] ?? ''));
  put(features, 'foreign subject, no topic', isForeign && own === 0);
}

function before(at: StoryClause, clauses: readonly StoryClause[]): StoryClause[] {
  const found = clauses.slice(Math.max(0, at.order - BEFORE), at.order);
  return found.filter(({ message }) => message === at.message);
}

function addSubject(
  features: Features,
  question: Question,
  { at, marks }: Mention,
  clauses: readonly StoryClause[],
): void {
  const owner = ownerOf(question);
  const relation = relationOf(question, at);
  put(features, `${owner} ${relation}`, 1);
  put(features, `${owner} ${relation}, topics`, common(question.topics, at.topics) > 0);
  const has = (pattern: RegExp): boolean => at.lowers.some((word) => pattern.test(word));
  put(features, `${owner} he`, has(/^(?:he|she|his|her|him|they)$/));
  if (owner === 'mine') {
    put(features, 'I', has(/^(?:i|we|me|us)$/));
    put(features, 'my', has(/^(?:my|our|mine|ours)$/));
    return;
  }
  const persons = new Set(question.persons.map(conceptOf));
  const shareIn = (lowers: readonly string[]): number =>
    common(persons, new Set(lowers.map(conceptOf))) / persons.size;
  put(features, 'persons in clause', shareIn(at.lowers));
  put(features, 'persons in message', shareIn([...before(at, clauses), at].flatMap(({ lowers }) => lowers)));
  put(features, 'is person asked', common(persons, marks) > 0);
}

function addSigns(features: Features, mention: Mention, clauses: readonly StoryClause[]): void {
  addOwnSigns(features, mention);
  const previous = before(mention.at, clauses).at(-1);
  if (!previous) return;
  put(
    features,
    'unreal before it',
    previous.signs.has('unreal') && previous.sentence === mention.at.sentence,
  );
  put(features, 'corrected before it', previous.signs.has('corrected'));
  put(features, 'ended before it', previous.signs.has('ended'));
}

/** The signs of the clause of a mention, and where they stand beside it. */
export function addOwnSigns(features: Features, { at, from, to }: Mention, prefix = ''): void {
  for (const name of SIGNS) {
    const places = at.signs.get(name);
    if (!places) continue;
    put(features, `${prefix}${name}`, 1);
    put(
      features,
      `${prefix}${name} before`,
      places.some((one) => one.to <= from && from - one.to <= NEAR),
    );
    put(
      features,
      `${prefix}${name} after`,
      places.some((one) => one.from >= to && one.from - to <= NEAR),
    );
  }
}
