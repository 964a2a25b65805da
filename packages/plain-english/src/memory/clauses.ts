import { spend } from '../allowance';
import { FULL_FORMS, WORDING } from './lexicon';

/** One clause of a message. */
export interface Clause {
  /** Its words with full forms, `I am` for `I'm`, without greetings before and marks after. If it has no subject, that of the clause before. */
  readonly text: string;
  /** Its place in the message, code units. */
  readonly start: number;
  readonly end: number;
  /** Whether it asks, or tells somebody to do something with a text. */
  readonly asks: boolean;
  /** Whether it is wished, supposed, planned or doubted. */
  readonly unreal: boolean;
  /** Whether others say it. */
  readonly reported: boolean;
}

/** The maximum length of a sentence that is read, characters. */
const MAX_SENTENCE = 600;
/** Work of one character of a message. */
const CHARACTER_COST = 3;

/** The end of a sentence, unless a title, an initial or another abbreviation has the full stop. */
const SENTENCE_END = /[.!?…;]+["”’)\]]*(?=\s|$)|\n+/g;
const SUBJECT = String.raw`(?:I|I['’](?:m|ve|d|ll)|we|we['’](?:re|ve|d|ll)|my|our|he|she|they|you|it|it['’]s|the|there|his|her|their|your|this|that)`;
/** Verbs in the form that follows I and we; before these a clause may leave its subject out. */
const VERB = String.raw`(?:(?:now|also|currently|still|just|really) )*(?:live|work|like|love|enjoy|hate|dislike|prefer|have|own|speak|play|drive|study|moved|joined|left|started|sold|quit|switched|changed|am|do not|don['’]t|can['’]t stand|no longer)`;
const CLAUSE_END = new RegExp(
  String.raw`\s*(?:[,–—:(]|\s-)?\s+(?:and|but|(?<!just )so|because|while|although|plus)\s+(?=(?:also |now |from today |from now on )?${SUBJECT}\s|${VERB}\s|[^\s,]+\s(?:is|are)\s(?:my|our)\s)|\s*[,–—:(]\s*(?=(?:and |but |so |because |also |now )*${SUBJECT}\s)|\s+-\s+(?=${SUBJECT}\s)|,\s+(?=${VERB}\s)`,
  'giu',
);

/** Of what has happened it says how long it is to last. */
const HOPE = /, (?:hopefully|I hope) for (?:good|ever|long|a while)$/i;
const QUOTED_SPEECH = /["“][^"”]*\b(?:I|my|we|our)\b[^"”]*["”]/i;

/** Cuts a message into clauses. A sentence that is too long for the rules is left out. */
export function clausesOf(message: string): Clause[] {
  spend(CHARACTER_COST * message.length);
  const isStory =
    WORDING.story.test(message) || (WORDING.imperative.test(message) && /[:"“\n]/.test(message));
  return sentencePlaces(message).flatMap(([start, end]) =>
    end - start > MAX_SENTENCE ? [] : clausesOfSentence(message.slice(start, end), start, isStory),
  );
}

/** The sentences of a text by their places, code units, each with its mark. */
export function sentencePlaces(text: string): [start: number, end: number][] {
  const places: [number, number][] = [];
  let from = 0;
  const add = (to: number): void => {
    if (/[\p{L}\p{N}]/u.test(text.slice(from, to))) places.push([from, to]);
    from = to;
  };
  for (const { 0: mark, index } of text.matchAll(SENTENCE_END)) {
    const before = text.slice(Math.max(0, index - 8), index);
    const isAbbreviated = mark === '.' && WORDING.abbreviation.test(before) && !/\bI$/.test(before);
    if (!isAbbreviated) add(index + mark.length);
  }
  add(text.length);
  return places;
}

function clausesOfSentence(whole: string, start: number, isStory: boolean): Clause[] {
  const full = withFullForms(whole);
  const asks = isStory || /\?\W*$/.test(whole) || WORDING.question.test(full) || isRequest(full);
  const reported = isReported(full);
  const isSupposed =
    /\b(?:if|unless|wish|suppose|imagine|pretend|would|not true|maybe|perhaps)\b/i.test(full) &&
    !/\bif you (?:ask|need|want)\b/i.test(full);
  const clauses: Clause[] = [];
  let from = 0;
  let subject = '';
  const add = (to: number): void => {
    const piece = whole.slice(from, to);
    const lead = /^[\s,–—:(-]*/.exec(piece)?.[0].length ?? 0;
    const trail = /[\s,–—:().!?…;"”]*$/.exec(piece)?.[0].length ?? 0;
    if (piece.length - trail <= lead) return;
    const words = withFullForms(piece.slice(lead, piece.length - trail));
    const isElided = subject !== '' && new RegExp(`^${VERB}\\b`, 'i').test(words);
    const isWithout = from === 0 && WORDING.bareVerb.test(words);
    const sentence = isWithout ? `I ${words.charAt(0).toLowerCase()}${words.slice(1)}` : words;
    const text = isElided ? `${subject} ${words}` : sentence;
    if (!isElided)
      subject = /^(?:I|we|he|she|they|you|it)\b/i.exec(words)?.[0] ?? (/^\p{Lu}/u.test(words) ? 'they' : '');
    const unreal = isSupposed || WORDING.unreal.test(text.replace(HOPE, ''));
    clauses.push({ text, start: start + from + lead, end: start + to - trail, asks, unreal, reported });
  };
  for (const { 0: mark, index } of whole.matchAll(CLAUSE_END)) {
    add(index);
    from = index + mark.length;
  }
  add(whole.length);
  return clauses;
}

/** Writes out contracted verbs, and leaves out greetings and the like before what is said. */
export function withFullForms(text: string): string {
  let full = text.trim().replace(/\s+/g, ' ');
  for (const [pattern, instead] of FULL_FORMS) full = full.replace(pattern, instead);
  const rest = full.replace(WORDING.lead, '');
  return rest === '' ? full : rest;
}

/** Whether a sentence tells somebody to do something. Pure. */
export const isRequest = (sentence: string): boolean => WORDING.imperative.test(sentence);
/** Whether a sentence asks by its first words. Pure. */
export const isQuestion = (sentence: string): boolean => WORDING.question.test(sentence);

/** Whether somebody else than the author says a sentence, or a part of it. */
function isReported(sentence: string): boolean {
  if (WORDING.speaker.test(sentence) || QUOTED_SPEECH.test(sentence)) return true;
  return [...sentence.matchAll(WORDING.speech)].some(
    ([, before = '']) => !/^(?:I|we|have|to|not) $/i.test(before),
  );
}
