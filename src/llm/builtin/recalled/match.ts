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
  const surplus = fitsSubject(question, statement);
  if (surplus === undefined || !hasWanted(question, statement)) return undefined;
  if (!fitsRelation(question, statement) || !fitsKind(question, statement)) return undefined;
  if (!question.terms.every((term) => hasTerm(statement.terms, term))) return undefined;
  return { statement, surplus, holds: holds(question, statement) };
}

/** How many words of the statement's subject are not in the question; undefined where it is about somebody else. */
function fitsSubject(
  { subject, wanted, terms, relation, kind }: Question,
  statement: Statement,
): number | undefined {
  const about = statement.subject;
  if (about.who === 'assistant' || subject.who === 'assistant') return undefined;
  if (about.who === 'user')
    return subject.who === 'user' || subject.persons.length === 0 || terms.length > 0
      ? personsMissing(subject, statement)
      : undefined;
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
  if (subject.who === 'user') return about.mine && missing < about.terms.length ? missing : undefined;
  return subject.terms.length === 0 || missing < about.terms.length ? missing : undefined;
}

/** `my sister Ola works`: who asks for the sister gets it, and who asks for Ola. */
function sharesPerson(persons: readonly string[], isAsked: (term: string) => boolean): boolean {
  return persons.some(isAsked);
}

/** What the user says of somebody counts for that one where the statement names them. */
function personsMissing({ who, persons }: Question['subject'], { terms }: Statement): number | undefined {
  if (who === 'user') return 0;
  return persons.every((person) => hasTerm(terms, person)) ? 1 : undefined;
}

const ATTRIBUTES = new Set(['name', 'age', 'job', 'home', 'birthday', 'origin']);
/** What says that somebody has something, besides saying so. */
const HAVING = new Set(['be', 'home', 'drive', 'ride', 'feed', 'wear', 'play']);

function fitsRelation({ relation, wanted, terms, kind }: Question, statement: Statement): boolean {
  const said = statement.relation;
  if (relation === undefined) return !['name', 'age'].includes(said) || wanted === 'who' || wanted === 'name';
  if (relation === said) return true;
  if (relation === 'favourite') return statement.terms.has(conceptOf('favourite')) || said === 'like';
  if (relation === 'like') {
    return said === 'dislike' || (said === 'be' && statement.subject.terms.includes(conceptOf('favourite')));
  }
  if (relation === 'dislike') return said === 'like';
  if (relation === 'own') return (kind !== undefined || terms.length > 0) && HAVING.has(said);
  if (ATTRIBUTES.has(relation) || ATTRIBUTES.has(said)) return false;
  if (statement.terms.has(conceptOf(relation))) return true;
  if (said !== 'be') return false;
  if (kind !== undefined) return true;
  const isTold =
    wanted === 'when' || wanted === 'where' || wanted === 'amount' || /\d/.test(statement.clause.text);
  return statement.subject.who === 'other' && terms.length > 0 && isTold;
}

function fitsKind({ kind, relation }: Question, statement: Statement): boolean {
  if (kind === undefined) return true;
  if (statement.subject.terms.includes(conceptOf(kind))) return true;
  if (relation === 'favourite' && statement.relation === 'be') return false;
  return objectsOfKind(statement, kind).length > 0;
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
