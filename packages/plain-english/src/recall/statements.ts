import { tokenize } from '../text/tokenizer';
import { attributesOf, type Part } from './attributes';
import { readClauses } from './clauses';
import { bare } from './leads';
import { readPart, type Before } from './parts';
import { toSecondPerson } from './person';
import type { Phrase, RecalledText, Statement, Subject } from './types';
import { termsOf, type Word } from './words';

const MAX_TURNED = 4_000;

/** What the assistant says of the user, as that one would say it. */
function turned(text: string): string {
  const read = text.slice(0, MAX_TURNED);
  return toSecondPerson(read, tokenize(read).tokens);
}

/** The text as the user would say it; of general knowledge, what it says of the user. */
function saidIn({ kind, role, text }: RecalledText): string {
  if (kind === 'semantic') return /\buser\b/i.test(text) ? ofUser(text.slice(0, MAX_TURNED)) : '';
  return role === 'assistant' ? turned(text) : text;
}

function ofUser(text: string): string {
  return text
    .replace(/^[^:\n.]{1,120}[:\n]\s*(?=\S)/, '')
    .replace(/\b(?:the )?user's\b/gi, 'my')
    .replace(/\b(?:the )?user is\b/gi, 'I am')
    .replace(/\b(?:the )?user\b/gi, 'I');
}

/** What a memory states, one clause at a time. */
export function readStatements(memory: RecalledText): Statement[] {
  const { source, clauses } = readClauses(saidIn(memory));
  const at = Date.parse(memory.timestamp ?? '');
  const found: Statement[] = [];
  let before: Before | undefined;
  let lastOther: Subject | undefined;
  for (const clause of clauses) {
    const words = bare(clause);
    const part = readPart(words, before, lastOther);
    if (!part) {
      before = undefined;
      continue;
    }
    if (part.subjectWords.length > 0 || !before) {
      const { subjectWords } = part;
      before = { subject: part.subject, tell: () => tellWords(source, subjectWords) };
    }
    if (part.subject.who === 'other') lastOther = part.subject;
    const base = { memory, at: Number.isNaN(at) ? -Infinity : at, clause: phraseOf(source, words) };
    for (const statement of derive(source, words, part, before)) {
      found.push({ ...base, ...statement, order: found.length });
    }
  }
  return found;
}

type Derived = Omit<Statement, 'memory' | 'at' | 'order' | 'clause'>;

function derive(source: string, words: readonly Word[], part: Part, before: Before): Derived[] {
  const { subject, relation, negated, ended, past, rest } = part;
  const all = new Set([...subject.terms, ...termsOf(words.map(({ lower }) => lower)), relation]);
  const shared = { negated, ended, past, terms: all, tell: () => tell(source, words, part, before) };
  const main: Derived = { ...shared, subject, relation, objects: objectsOf(source, rest, relation) };
  return [
    main,
    ...attributesOf(part, words).map(({ subject: about, relation: said, words: of, ended: over }) => ({
      ...shared,
      ended: over ?? ended,
      subject: about,
      relation: said,
      terms: new Set([...all, ...about.terms, said]),
      objects: objectsOf(source, of, said),
    })),
  ];
}

/** The clause to the one who said it; what it took from the clause before is said again. */
function tell(source: string, words: readonly Word[], part: Part, before: Before): string {
  if (part.told !== undefined) return `${part.told} ${phraseOf(source, part.rest).text}`;
  const own = before.subject.who === 'user' ? 'you' : before.tell();
  const lead = part.subjectWords.length === 0 ? own : '';
  return (lead === '' ? '' : `${lead} `) + tellWords(source, words);
}

function tellWords(source: string, words: readonly Word[]): string {
  return toSecondPerson(source, [...new Set(words.map(({ token }) => token))]);
}

const COMPARED = new Set(['to', 'over', 'than', 'instead']);

/** What stands after the verb, cut where several things are listed. */
function objectsOf(source: string, rest: readonly Word[], relation: string): Phrase[] {
  const objects: Phrase[] = [];
  let current: Word[] = [];
  const flush = (): void => {
    if (current.length > 0) objects.push(phraseOf(source, current));
    current = [];
  };
  for (const word of rest) {
    const isCompared = relation === 'like' && current.length > 0 && COMPARED.has(word.lower);
    if (isCompared && !(word.lower === 'to' && current.length < 1)) break;
    if (relation === 'like' && word.lower === 'rather') break;
    if ([',', 'and', 'or', '&', 'but'].includes(word.lower)) flush();
    else current.push(word);
  }
  flush();
  return objects;
}

function phraseOf(source: string, words: readonly Word[]): Phrase {
  const first = words[0]?.token;
  const last = words.at(-1)?.token;
  return {
    text: first && last ? source.slice(first.start, last.end) : '',
    words: words.map(({ lower }) => lower),
  };
}
