import { spend } from '../allowance';
import { cut } from '../text/shown';
import { baseForm, singular, stem } from '../text/stem';
import { type Clause, clausesOf, isQuestion, isRequest, sentencePlaces } from './clauses';
import type { MemoryAnswer, RecalledText } from './facts';
import { isIn, WORDING } from './lexicon';
import { questionsOf } from './question';

const MAX_MEMORY = 4_000;
const MAX_QUOTED = 300;
const MAX_KNOWN = 600;
/** Work of comparing one clause. */
const CLAUSE_COST = 20;

const REASON = /\b(?:because|since|so that|due to|as I|in order to)\b/i;
const IS_WH = /^(?:what|who|when|where|why|how|which)\b/i;
const IS_NOW = /\b(?:is|are|am|do|does|have|has)\b/i;
const COPULA = /\b(?:is|are|was|were|will be|costs?|=)\b|:/i;

interface Candidate {
  readonly memory: RecalledText;
  readonly clause: Clause;
  readonly at: number;
}

/**
 * Answers with the user's own sentence that has all that a question names, and a word for what it asks; of several with the newest.
 * Questions, requests, suppositions, what others say and what the service said are never quoted. Nothing is inferred.
 * @returns undefined if no sentence holds the answer, or a later one may have changed it
 */
export function answerFromMemories(
  query: string,
  memories: readonly RecalledText[],
  now: Date,
): MemoryAnswer | undefined {
  const answers: MemoryAnswer[] = [];
  for (const question of questionsOf(query)) {
    const isAsked =
      /\?\s*$/.test(query) || isQuestion(question) || /^(?:my|our|the) (?:\S+ ?){1,4}$/i.test(question);
    const answer = isAsked ? answerOne(question, memories, now.getTime()) : undefined;
    if (answer === undefined) return undefined;
    answers.push(answer);
  }
  return {
    text: answers.map(({ text }) => text).join(' '),
    sourceIds: [...new Set(answers.flatMap(({ sourceIds }) => sourceIds))],
  };
}

type Memories = readonly RecalledText[];

function answerOne(question: string, memories: Memories, now: number): MemoryAnswer | undefined {
  const [, topic] = WORDING.topic.exec(question) ?? [];
  const matter = topic ?? question;
  if (isRequest(question) || /\b(?:you|your)\b/i.test(matter)) return undefined;
  const wanted = [...new Set(tellingStems(matter))];
  if (wanted.length === 0) return undefined;
  const candidates: Candidate[] = memories.flatMap((memory) => {
    const at = memory.timestamp === undefined ? 0 : Date.parse(memory.timestamp);
    if (memory.kind !== 'episodic' || memory.role !== 'user' || at > now) return [];
    return clausesOf(memory.text.slice(0, MAX_MEMORY)).map((clause) => ({ memory, clause, at }));
  });
  spend(CLAUSE_COST * candidates.length);
  const fits = ({ clause: { text, asks, unreal, reported } }: Candidate): boolean =>
    !(asks || unreal || reported) &&
    covers(text, wanted) &&
    (topic !== undefined || holdsAnswer({ question, text, wanted }));
  const fitting = candidates
    .filter(fits)
    .sort((one, other) => one.at - other.at || one.memory.relevance - other.memory.relevance);
  const best = fitting.at(-1);
  if (best === undefined) return answerFromKnowledge(question, memories, wanted);
  if (IS_WH.test(question) && WORDING.negated.test(best.clause.text)) return undefined;
  // A later sentence may have changed what it names, and the next one what it calls `it`.
  const later = candidates.filter(
    ({ at, memory, clause }) => at > best.at || (memory === best.memory && clause.start > best.clause.start),
  );
  const next = Math.min(...later.map(({ at }) => at));
  const mayHaveChanged = later.some(({ clause, memory, at }) => {
    const { text, asks, reported } = clause;
    const isChange = WORDING.change.test(sentenceAt(memory.text, clause) ?? text);
    const isOnIt = at === next && /\b(?:it|they|that|one)\b/i.test(text);
    return !asks && !reported && (covers(text, wanted) || (isChange && (isOnIt || shares(text, wanted))));
  });
  if (mayHaveChanged) return undefined;
  const quoted = sentenceAt(best.memory.text, best.clause);
  if (quoted === undefined) return undefined;
  const when = best.memory.timestamp === undefined ? '' : ` on ${best.memory.timestamp.slice(0, 10)}`;
  const isYesNo = !IS_WH.test(question) && isQuestion(question);
  const lead = isYesNo ? (WORDING.negated.test(best.clause.text) ? 'No. ' : 'Yes. ') : '';
  return { text: `${lead}You told me${when}: “${quoted}”.`, sourceIds: [best.memory.id] };
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{N}]+(?:[-'@.][\p{L}\p{N}]+)*/gu) ?? [];
const toStem = (word: string): string => stem(baseForm(singular(word.replace(/'s$/, ''))));
const stemsOf = (text: string): string[] => wordsOf(text).map(toStem);
/** Whether an answer has to have a word of its question. */
const isTelling = (word: string): boolean => !isIn('light', word);
const tellingStems = (text: string): string[] => wordsOf(text).filter(isTelling).map(toStem);

function covers(text: string, wanted: readonly string[]): boolean {
  const stems = new Set(stemsOf(text));
  return wanted.every((word) => stems.has(word));
}

function shares(text: string, wanted: readonly string[]): boolean {
  return stemsOf(text).some((word) => wanted.includes(word));
}

/** A question, and a clause that has its words. */
interface Asked {
  readonly question: string;
  readonly text: string;
  /** The stems of the question's telling words. */
  readonly wanted: readonly string[];
}

/** What the clause has to have, by the form of the question: the first form decides. */
const FORMS: readonly (readonly [form: RegExp, holds: (pair: Asked) => boolean])[] = [
  [
    /^(?:do|does|did|is|are|am|was|were|have|has|can|will)\b/i,
    ({ text, wanted }) => isInOrder(stemsOf(text), wanted) && !WORDING.hasEnded.test(text),
  ],
  [
    /^(?:when|what time|what day|which day|on what|what date)/i,
    ({ text }) => WORDING.time.test(text.replace(WORDING.relativeDay, '')),
  ],
  [
    /^(?:what|which) (?:year|month)\b/i,
    ({ text }) => /\b(?:19|20)\d\d\b/.test(text) && wordsOf(text).length < 12,
  ],
  [/^what (?:do|does|did) .+ do\b/i, () => false],
  [/^where\b.* from$/i, ({ text }) => /\bfrom \p{Lu}/u.test(text)],
  [/^where\b/i, hasPlace],
  [/^how old\b/i, ({ text }) => /\b(?:years? old|turned \d+|aged \d+|(?:is|am) (?:now )?\d+)\b/i.test(text)],
  [
    /^how (?:many|much|long|far|often|big|tall|high|heavy)\b/i,
    ({ text }) => WORDING.number.test(text.replace(WORDING.day, '')),
  ],
  [/^how\b/i, () => false],
  [/^why\b/i, ({ text }) => REASON.test(text)],
  [
    /\b(?:called|named|name)$/i,
    (pair) => /\b(?:called|named|name is)\b/i.test(pair.text) && fitsCopula(pair),
  ],
  [/^who\b/i, (pair) => hasOther(pair, isCapitalised) && fitsCopula(pair)],
  [/^(?:what|which) (?:is|are|was|were)\b/i, fitsCopula],
  [/^(?:what|which)\b/i, (pair) => hasOther(pair, isAfterWanted)],
  [/^/, (pair) => fitsCopula({ ...pair, question: `what is ${pair.question}` })],
];

/** Whether a clause that has the words of a question has a word for what is asked, too, and is about the same persons. */
function holdsAnswer(pair: Asked): boolean {
  const { question, text } = pair;
  if (!isAboutSame(question, text) || (IS_NOW.test(question) && WORDING.past.test(text))) return false;
  return FORMS.find(([form]) => form.test(question))?.[1](pair) === true;
}

function hasPlace({ text, wanted }: Asked): boolean {
  return [...text.matchAll(WORDING.place)].some(
    ([, word = '']) =>
      !wanted.includes(toStem(word.toLowerCase())) && !WORDING.time.test(`at ${word}`) && !/^\d/.test(word),
  );
}

/** Whether the clause has a telling word that the question has not. */
function hasOther(pair: Asked, isMeant: (word: string, pair: Asked) => boolean): boolean {
  return wordsOf(pair.text).some(
    (word) => isTelling(word) && !pair.wanted.includes(toStem(word)) && isMeant(word, pair),
  );
}

function isCapitalised(word: string, { text }: Asked): boolean {
  return text.includes(word.charAt(0).toUpperCase() + word.slice(1));
}

function isAfterWanted(word: string, { text, wanted }: Asked): boolean {
  const words = wordsOf(text);
  return words.lastIndexOf(word) > words.findIndex((one) => wanted.includes(toStem(one)));
}

/** What a question on `X is` names stands alone on one side of the verb, and the answer on the other. */
function fitsCopula({ question, text, wanted }: Asked): boolean {
  if (!/^(?:what|who|which) (?:is|are|was|were)\b/i.test(question)) return true;
  const verb = COPULA.exec(text);
  if (verb === null) return false;
  const sides = [text.slice(0, verb.index), text.slice(verb.index + verb[0].length)].map(wordsOf);
  return sides.some((side, at) => {
    const stems = side.map(toStem);
    const isAlone = side.every((word) => !isTelling(word) || wanted.includes(toStem(word)));
    return isAlone && wanted.every((word) => stems.includes(word)) && sides[1 - at]?.some(isTelling) === true;
  });
}

/** A question on what the user does is answered by a clause in which the user does it, and `my dog` is not another one's. */
function isAboutSame(question: string, text: string): boolean {
  const words = wordsOf(text);
  const [, subject = '', rest = ''] =
    /\b(?:do|does|did|am|is|are|was|were|have|has|can|will) (\S+) (.+)$/i.exec(question) ?? [];
  if (/^(?:I|we)$/i.test(subject)) {
    const verb = wordsOf(rest).find(isTelling);
    const isDone = (from: number): boolean =>
      verb === undefined || words.slice(from, from + 6).some((one) => toStem(one) === toStem(verb));
    const at = words.findIndex((word, index) => /^(?:i|we)$/.test(word) && isDone(index + 1));
    const isOther = (word: string): boolean =>
      /^(?:that|people|he|she|they|read|heard|saw)$/.test(word) && word !== verb;
    if (at < 0 || words.slice(at + 1, at + 7).some(isOther)) return false;
  } else if (/\b(?:does|did)\b/i.test(question)) {
    const named = tellingStems(`${subject} ${rest}`);
    if (!isInOrder(stemsOf(text), named.slice(0, 2))) return false;
  }
  const isOthers = ([, noun = '']: RegExpMatchArray): boolean =>
    /'s$|^(?:his|her|their|your)$/.test(words[words.indexOf(noun.toLowerCase()) - 1] ?? '');
  if ([...question.matchAll(/\b(?:my|our) ([^\s']+)/gi)].some(isOthers)) return false;
  return !/\bmy\b/i.test(question) || /\b(?:I|my|we|our|the)\b/i.test(text);
}

function isInOrder(stems: readonly string[], wanted: readonly string[]): boolean {
  let from = 0;
  return wanted.every((word) => (from = stems.indexOf(word, from) + 1) > 0);
}

/** The sentence of a clause as it was written, without its mark; undefined if it is too long to quote. */
function sentenceAt(text: string, { start }: Clause): string | undefined {
  const [from, to] = sentencePlaces(text.slice(0, MAX_MEMORY)).find(([, end]) => end > start) ?? [0, 0];
  const sentence = text
    .slice(from, to)
    .trim()
    .replace(/[\s.!…;]+$/, '')
    .replace(/\s+/g, ' ');
  return sentence === '' || sentence.length > MAX_QUOTED ? undefined : sentence;
}

/** Quotes stored knowledge whose concept a question names. */
function answerFromKnowledge(
  question: string,
  memories: Memories,
  wanted: readonly string[],
): MemoryAnswer | undefined {
  if (!/^(?:what|who|which|where|when|how)\b/i.test(question)) return undefined;
  const fitting = memories.flatMap(({ id, kind, text, relevance }) => {
    const [, concept = '', description = ''] = /^(.*?): (.*)$/s.exec(text) ?? [];
    const named = tellingStems(concept);
    const isNamed = named.length > 0 && named.every((word) => wanted.includes(word));
    return kind === 'semantic' && isNamed && covers(text, wanted)
      ? [{ id, relevance, text: `From what I know about ${concept}: ${cut(description, MAX_KNOWN)}` }]
      : [];
  });
  const [best] = fitting.sort((one, other) => other.relevance - one.relevance);
  return best && { text: best.text, sourceIds: [best.id] };
}
