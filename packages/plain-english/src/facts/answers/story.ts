import { verbOf } from '../../recall/verbs';
import { conceptOf } from '../../recall/words';
import { type Span, spansOf } from '../mentions';
import { type Context, subjectOf, UNKNOWN, USER } from '../people';
import { type Clause, clausesOf } from '../segments';
import { marksOf } from '../standing';
import { attributesOf, topicsOf } from '../topics';
import { ARTICLES } from '../words';
import { type Signs, signsOf } from './signs';

/** A message of the user. */
export interface Message {
  readonly id: string;
  readonly text: string;
}

/** A clause with what questions compare. */
export interface StoryClause extends Clause {
  /** Its place among the clauses of all messages, and the number of its message. */
  readonly order: number;
  readonly message: number;
  readonly subject: string;
  readonly signs: Signs;
  readonly topics: ReadonlySet<string>;
  readonly classes: ReadonlySet<string>;
  /** The concept of its verb. */
  readonly action: string;
}

/** A part of a clause that may be a value. */
export interface Mention extends Span {
  /** The concepts that tell it from others. */
  readonly marks: ReadonlySet<string>;
  readonly at: StoryClause;
  /** The word before it, and what stands between. */
  readonly lead: string;
  readonly article: 'a' | 'my' | 'the' | 'none';
}

export interface Story {
  readonly clauses: readonly StoryClause[];
  readonly mentions: readonly Mention[];
}

/** Mentions of a story; the latest are kept. */
const MAX_MENTIONS = 1_500;
const PASSED =
  /^(?:now|just|also|still|only|currently|actually|really|called|named|already|officially|new|old|mr|mrs|ms|dr)$/;

/** Reads messages in the order in which they were said. */
export function readStory(messages: readonly Message[]): Story {
  const clauses: StoryClause[] = [];
  const mentions: Mention[] = [];
  const context: Context = { subjects: [], values: new Map(), person: UNKNOWN, last: USER, sentence: -1 };
  messages.forEach(({ text }, message) => {
    context.last = USER;
    context.sentence = -1;
    for (const clause of clausesOf(text)) {
      const at = readClause(clause, { message, order: clauses.length, subject: subjectOf(clause, context) });
      clauses.push(at);
      mentions.push(...mentionsOf(at, text));
    }
  });
  return { clauses, mentions: mentions.slice(-MAX_MENTIONS) };
}

function readClause(clause: Clause, place: Pick<StoryClause, 'message' | 'order' | 'subject'>): StoryClause {
  const said = clause.lowers[clause.verb] ?? '';
  return {
    ...clause,
    ...place,
    signs: signsOf(clause),
    topics: topicsOf(clause.lowers),
    classes: attributesOf(clause.lowers),
    action: conceptOf(verbOf(said) ?? said),
  };
}

function mentionsOf(at: StoryClause, source: string): Mention[] {
  return spansOf(at, source).flatMap((span) => {
    const marks = marksOf(span.text);
    return marks.size > 0 ? { ...span, marks, at, ...leadOf(at, span.from) } : [];
  });
}

function leadOf({ lowers }: StoryClause, from: number): Pick<Mention, 'lead' | 'article'> {
  let at = from - 1;
  let article: Mention['article'] = 'none';
  for (; at >= 0; at--) {
    const word = lowers[at] ?? '';
    if (ARTICLES.has(word)) article = /^an?$/.test(word) ? 'a' : /^(?:my|our)$/.test(word) ? 'my' : 'the';
    else if (!PASSED.test(word)) break;
  }
  return { lead: lowers[at] ?? '', article };
}
