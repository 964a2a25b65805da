import { hasTerm, hasWanted, objectsOfKind } from './evidence';
import type { Question, Statement } from './types';
import { conceptOf } from './words';

/** A statement that answers a question. */
export interface Match {
  readonly statement: Statement;
  /** Words of the statement's subject that the question does not have; the fewer, the better. */
  readonly surplus: number;
  /** False where it says the contrary of what is asked. */
  readonly holds: boolean;
}

/** How a statement answers a question; undefined where it does not. */
export function match(question: Question, statement: Statement): Match | undefined {
  if (isOpen(question) || !fitsTense(question, statement)) return undefined;
  const surplus = fitsSubject(question, statement);
  if (surplus === undefined || !hasWanted(question, statement)) return undefined;
  if (!fitsRelation(question, statement) || !fitsKind(question, statement)) return undefined;
  if (!question.terms.every((term) => hasTerm(statement.terms, term))) return undefined;
  if (question.anyOf.length > 0 && !question.anyOf.some((term) => hasTerm(statement.terms, term)))
    return undefined;
  if (statement.terms.has(LEAST) && !question.terms.includes(LEAST)) return undefined;
  return { statement, surplus, holds: holds(question, statement) };
}

/** Nothing is asked for that a statement could have or lack. */
function isOpen({ relation, terms, anyOf, kind, wanted }: Question): boolean {
  return (
    relation === undefined &&
    terms.length === 0 &&
    anyOf.length === 0 &&
    kind === undefined &&
    wanted !== 'about'
  );
}

/** When somebody will go there is not told by when they were. */
function fitsTense({ tense, wanted }: Question, { past, negated }: Statement): boolean {
  if (tense === 'future') return wanted !== 'when' || !past;
  return tense !== 'past' || wanted !== 'whether' || past || negated;
}

/** How many words of the statement's subject are not in the question; undefined where it is about somebody else. */
function fitsSubject(question: Question, statement: Statement): number | undefined {
  const { subject, wanted, terms, relation, kind } = question;
  const about = statement.subject;
  if (about.who === 'assistant' || subject.who === 'assistant') return undefined;
  if (about.who === 'user') return fitsUser(question, statement);
  if (wanted === 'about' && subject.who === 'user') return about.mine ? 0 : undefined;
  const asked = new Set([...terms, ...subject.terms]);
  if (kind !== undefined) asked.add(conceptOf(kind));
  if (relation === 'favourite' || relation === 'like') asked.add(conceptOf('favourite'));
  if (relation !== undefined) asked.add(conceptOf(relation));
  const isAnybody = subject.who === 'other' && subject.terms.length === 0;
  const isAsked = (term: string): boolean =>
    asked.has(term) || [...asked].some((one) => hasTerm(new Set([term]), one));
  if (!isAnybody && about.persons.some((person) => !isAsked(person)) && !sharesPerson(about.persons, isAsked))
    return undefined;
  const missing = about.terms.filter((term) => !isAsked(term)).length;
  if (subject.who === 'user' && about.mine && about.terms.every((term) => ABSTRACT.has(term))) return 1;
  if (about.terms.length === 0) return about.mine && subject.terms.length === 0 ? 0 : undefined;
  if (subject.who === 'user') return about.mine && missing < about.terms.length ? missing : undefined;
  if (subject.mine && !about.mine && missing > 0) return undefined;
  return subject.terms.length === 0 || missing < about.terms.length ? missing : undefined;
}

/** `my sister Ola works`: who asks for the sister gets it, and who asks for Ola. */
function sharesPerson(persons: readonly string[], isAsked: (term: string) => boolean): boolean {
  return persons.some(isAsked);
}

/**
 * What the user says of themselves tells of somebody else where it names them, unless a verb says what that one does: `I
 * owe Mia 30 euros` is no answer to what Mia owes.
 */
function fitsUser(
  { subject, wanted, relation, terms, kind }: Question,
  statement: Statement,
): number | undefined {
  if (subject.who === 'user') return 0;
  if (wanted === 'about' || subject.terms.length === 0) return 1;
  if (
    relation !== undefined &&
    !ATTRIBUTES.has(relation) &&
    relation !== statement.relation &&
    subject.persons.length > 0
  )
    return undefined;
  if (relation === statement.relation && subject.persons.length > 0) return undefined;
  if (wanted === 'what' && relation === undefined && !subject.mine) return undefined;
  if (kind !== undefined && statement.relation !== 'own') return undefined;
  if (subject.persons.length > 0 && terms.length === 0) return undefined;
  return subject.persons.every((person) => hasTerm(statement.terms, person)) ? 1 : undefined;
}

const LEAST = conceptOf('least');
/** What people have in mind: `my goal is to save` says it of oneself. */
const ABSTRACT = new Set(
  ['goal', 'plan', 'aim', 'dream', 'hope', 'wish', 'habit', 'routine', 'resolution'].map(conceptOf),
);
const ATTRIBUTES = new Set(['name', 'age', 'job', 'home', 'birthday', 'origin']);
/** What says that somebody has something, besides saying so. */
const HAVING = new Set([
  'be',
  'home',
  'drive',
  'ride',
  'feed',
  'wear',
  'play',
  'buy',
  'get',
  'keep',
  'adopt',
]);

function fitsRelation({ relation, wanted, terms, kind }: Question, statement: Statement): boolean {
  const said = statement.relation;
  if (kind === 'nationality') return said === 'be' || said === 'origin';
  if (
    wanted === 'who' &&
    relation === undefined &&
    ['origin', 'home', 'job', 'birthday', 'age'].includes(said)
  )
    return false;
  if (relation === undefined) return !['name', 'age'].includes(said) || wanted === 'who' || wanted === 'name';
  if (relation === said) return true;
  if (relation === 'favourite') return statement.terms.has(conceptOf('favourite')) || said === 'like';
  if (relation === 'like') {
    return said === 'dislike' || (said === 'be' && statement.subject.terms.includes(conceptOf('favourite')));
  }
  if (relation === 'dislike') return said === 'like';
  if (relation === 'own')
    return (
      (kind !== undefined || terms.length > 0) &&
      HAVING.has(said) &&
      (said !== 'be' || statement.subject.who === 'other' || terms.length > 0)
    );
  if (ATTRIBUTES.has(relation) || ATTRIBUTES.has(said)) return false;
  if (statement.terms.has(conceptOf(relation))) return true;
  if (said !== 'be') return false;
  if (statement.subject.who === 'user') return kind === 'diet' || kind === 'nationality';
  if (kind !== undefined) return true;
  const isTold =
    wanted === 'when' || wanted === 'where' || wanted === 'amount' || /\d/.test(statement.clause.text);
  return terms.length > 0 && isTold;
}

function fitsKind({ kind, relation, wanted }: Question, statement: Statement): boolean {
  if (kind === undefined) return true;
  const said = statement.relation;
  if (wanted === 'whether' && statement.terms.has(conceptOf(kind))) return true;
  // `I use Vim as my editor`
  if (statement.clause.words.at(-1) === kind && statement.clause.words.includes('as')) return true;
  if (statement.subject.terms.at(-1) === conceptOf(kind)) return true;
  if (relation === 'favourite' && statement.relation === 'be') return false;
  if (
    said === 'be' &&
    statement.subject.terms.length > 1 &&
    statement.subject.terms.includes(conceptOf('favourite'))
  )
    return false;
  return objectsOfKind(statement, kind, relation === said).length > 0;
}

function holds({ relation, positive }: Question, { relation: said, negated, ended }: Statement): boolean {
  if (ended) return false;
  if (relation === 'like' || relation === 'dislike') {
    const isLiked = said !== 'dislike' && !negated;
    return isLiked === positive;
  }
  if (relation === 'favourite' && said === 'dislike') return false;
  return !negated;
}
