import { spend } from '../allowance';
import { baseForm, singular } from '../text/base-forms';
import { stem } from '../text/stem';
import { type Clause, clausesOf, isQuestion, isRequest, sentencePlaces } from './clauses';
import { questionsOf } from './question';
import type { MemoryAnswer, RecalledText } from './recalled';

const MAX_MEMORY = 4_000;
const MAX_QUOTED = 300;
/** Work of comparing one clause. */
const CLAUSE_COST = 20;

/** Words of a question that an answer need not have. */
const LIGHT = new Set(
  `what who whom where when why how which whose is are am was were be been do does did have has had can could will would should may
  a an the my our i we me us mine of to in on at for from with by about it that this these those there and or so please any some
  tell told say said mention mentioned know remember remind recall kind type sort much many long far often old time day year month you up get got called named name both too now also still just`.split(
    /\s+/,
  ),
);
const TIME =
  /\b(?:\d{1,2}[:.]\d\d|\d{1,2} ?(?:am|pm|o'clock)|at \d{1,2}|noon|midnight|morning|afternoon|evening|tonight|today|tomorrow|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|20\d\d|19\d\d|weeks?|months?|years?|\d{1,2}(?:st|nd|rd|th)|weekend|spring|summer|autumn|winter|christmas|easter)\b/i;
const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|once|twice|daily|weekly|every|half|dozen)\b/i;
const PLACE =
  /\b(?:in|at|on|near|to|into|from|behind|under|inside|beside|opposite|above|below|by|next to|between|over)\s+(\S+)/gi;
const REASON = /\b(?:because|since|so that|due to|as I|in order to)\b/i;
const CHANGE =
  /\b(?:no longer|not|never|changed?|moved?|left|retired|put|raised|lower(?:ed)?|increased?|closed|over|ended|cancelled|canceled|postponed|switched|sold|instead|now|stopped|quit|used to|any ?more|replaced|new|rescheduled|wrong|sorry|actually|correction|lost|broke|gave|given)\b|n't\b/i;
const NEGATED = /\b(?:no longer|not|never|any ?more|used to|stopped|without|nobody|none)\b/i;
const IS_WH = /^(?:what|who|when|where|why|how|which)\b/i;
/** A day that only the day of the sentence tells. */
const RELATIVE =
  /\b(?:today|tonight|tomorrow|yesterday|(?:this|last|next) \S+|\S+ (?:days?|weeks?|months?|years?) ago)\b/gi;
/** A day, which is no amount. */
const DAY =
  /\b\d{1,2}(?:st|nd|rd|th)\b|\b\d{1,2} (?:january|february|march|april|may|june|july|august|september|october|november|december)\b|\b(?:19|20)\d\d\b/gi;
const IS_NOW = /\b(?:is|are|am|do|does|have|has)\b/i;
const IS_PAST =
  /\b(?:was|were)\b(?! (?:moved|changed|postponed|rescheduled|brought|pushed|put))|\b(?:used to|had)\b/i;
const HAS_ENDED = /\b(?:stopped|used to|sold|quit|gave up|no longer|any ?more|yet|almost)\b/i;
const COPULA = /\b(?:is|are|was|were|will be|costs?|=)\b|:/i;

interface Candidate {
  readonly memory: RecalledText;
  readonly clause: Clause;
  readonly at: number;
}

/**
 * Answers with the user's own sentence that has all that a question names, and a word for what it asks; of several with the newest.
 * Questions, requests, suppositions, what others say and what the service said are never quoted. Nothing is inferred.
 * @returns undefined where no sentence holds the answer, or a later one may have changed it
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

function answerOne(
  question: string,
  memories: readonly RecalledText[],
  now: number,
): MemoryAnswer | undefined {
  const [, topic] =
    /^what (?:did|have) I (?:tell|told|say|said|mention|mentioned)(?: to)?(?: you)? about (.+)$/i.exec(
      question,
    ) ?? [];
  const asked = topic ?? question;
  if (isRequest(question) || /\b(?:you|your)\b/i.test(asked)) return undefined;
  const wanted = [
    ...new Set(
      wordsOf(asked)
        .filter((word) => !LIGHT.has(word))
        .map(toStem),
    ),
  ];
  if (wanted.length === 0) return undefined;
  const said: Candidate[] = memories.flatMap((memory) => {
    const at = memory.timestamp === undefined ? 0 : Date.parse(memory.timestamp);
    if (memory.kind !== 'episodic' || memory.role !== 'user' || at > now) return [];
    return clausesOf(memory.text.slice(0, MAX_MEMORY)).map((clause) => ({ memory, clause, at }));
  });
  spend(CLAUSE_COST * said.length);
  const fitting = said
    .filter(({ clause }) => !clause.asks && !clause.unreal && !clause.reported)
    .filter(
      ({ clause: { text } }) =>
        covers(text, wanted) && (topic !== undefined || holdsAnswer(question, text, wanted)),
    )
    .sort((one, other) => one.at - other.at || one.memory.relevance - other.memory.relevance);
  const best = fitting.at(-1);
  if (best === undefined) return answerFromKnowledge(question, memories, wanted);
  if (IS_WH.test(question) && NEGATED.test(best.clause.text)) return undefined;
  // A later sentence may have changed what it names, and the next one what it calls `it`.
  const later = said.filter(
    ({ at, memory, clause }) => at > best.at || (memory === best.memory && clause.start > best.clause.start),
  );
  const next = Math.min(...later.map(({ at }) => at));
  const mayHaveChanged = later.some(({ clause: { text, asks, ...clause }, memory, at }) => {
    if (asks || clause.reported) return false;
    const isChange = CHANGE.test(sentenceAt(memory.text, { text, asks, ...clause }) ?? text);
    return (
      covers(text, wanted) ||
      (isChange && (shares(text, wanted) || (at === next && /\b(?:it|they|that|one)\b/i.test(text))))
    );
  });
  if (mayHaveChanged) return undefined;
  const quoted = sentenceAt(best.memory.text, best.clause);
  if (quoted === undefined) return undefined;
  const when = best.memory.timestamp === undefined ? '' : ` on ${best.memory.timestamp.slice(0, 10)}`;
  const isYesNo = !IS_WH.test(question) && isQuestion(question);
  const lead = isYesNo ? (NEGATED.test(best.clause.text) ? 'No. ' : 'Yes. ') : '';
  return { text: `${lead}You told me${when}: “${quoted}”.`, sourceIds: [best.memory.id] };
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{N}]+(?:[-'@.][\p{L}\p{N}]+)*/gu) ?? [];
const toStem = (word: string): string => stem(baseForm(singular(word.replace(/'s$/, ''))));
const stemsOf = (text: string): string[] => wordsOf(text).map(toStem);

function covers(text: string, wanted: readonly string[]): boolean {
  const stems = new Set(stemsOf(text));
  return wanted.every((word) => stems.has(word));
}

function shares(text: string, wanted: readonly string[]): boolean {
  return stemsOf(text).some((word) => wanted.includes(word));
}

/** Whether a clause that has the words of a question has a word for what is asked, too, and is about the same persons. */
function holdsAnswer(question: string, text: string, wanted: readonly string[]): boolean {
  if (!isAboutSame(question, text) || (IS_NOW.test(question) && IS_PAST.test(text))) return false;
  const [first = '', second = ''] = question.toLowerCase().split(' ');
  if (/^(?:do|does|did|is|are|am|was|were|have|has|can|will)$/.test(first))
    return isInOrder(stemsOf(text), wanted) && !HAS_ENDED.test(text);
  const words = wordsOf(text);
  const begin = words.findIndex((word) => wanted.includes(toStem(word)));
  const isOther = (word: string): boolean => !LIGHT.has(word) && !wanted.includes(toStem(word));
  if (/^(?:when|what time|what day|which day|on what|what date)/i.test(question))
    return TIME.test(text.replace(RELATIVE, ''));
  if (/^(?:what|which) (?:year|month)\b/i.test(question))
    return /\b(?:19|20)\d\d\b/.test(text) && words.length < 12;
  if (/^what (?:do|does|did) .+ do\b/i.test(question)) return false;
  if (first === 'where') {
    if (/ from$/i.test(question)) return /\bfrom \p{Lu}/u.test(text);
    return [...text.matchAll(PLACE)].some(
      ([, word = '']) =>
        !wanted.includes(toStem(word.toLowerCase())) && !TIME.test(`at ${word}`) && !/^\d/.test(word),
    );
  }
  if (first === 'how' && second === 'old')
    return /\b(?:years? old|turned \d+|aged \d+|(?:is|am) (?:now )?\d+)\b/i.test(text);
  if (first === 'how')
    return (
      /^(?:many|much|long|far|often|big|tall|high|heavy)$/.test(second) && NUMBER.test(text.replace(DAY, ''))
    );
  if (first === 'why') return REASON.test(text);
  if (/\b(?:called|named|name)$/i.test(question))
    return /\b(?:called|named|name is)\b/i.test(text) && fitsCopula(question, text, wanted);
  if (first === 'who')
    return (
      words.some((word) => isOther(word) && isCapitalised(word, text)) && fitsCopula(question, text, wanted)
    );
  if (!/^(?:what|which)$/.test(first))
    return COPULA.test(text) && fitsCopula(`what is ${question}`, text, wanted);
  return /^(?:what|which) (?:is|are|was|were)\b/i.test(question)
    ? fitsCopula(question, text, wanted)
    : words.slice(begin + 1).some(isOther);
}

const isCapitalised = (word: string, text: string): boolean =>
  text.includes(word.charAt(0).toUpperCase() + word.slice(1));

/** What a question on `X is` names stands alone on one side of the verb, and the answer on the other. */
function fitsCopula(question: string, text: string, wanted: readonly string[]): boolean {
  if (!/^(?:what|who|which) (?:is|are|was|were)\b/i.test(question)) return true;
  const place = COPULA.exec(text);
  if (place === null) return false;
  const sides = [text.slice(0, place.index), text.slice(place.index + place[0].length)];
  return sides.some((side, at) => {
    const stems = stemsOf(side);
    const isAlone = wordsOf(side).every((word) => LIGHT.has(word) || wanted.includes(toStem(word)));
    return (
      isAlone &&
      wanted.every((word) => stems.includes(word)) &&
      wordsOf(sides[1 - at] ?? '').some((word) => !LIGHT.has(word))
    );
  });
}

/** A question on what the user does is answered by a clause in which the user does it, and `my dog` is not another one's. */
function isAboutSame(question: string, text: string): boolean {
  const words = wordsOf(text);
  const [, subject = '', rest = ''] =
    /\b(?:do|does|did|am|is|are|was|were|have|has|can|will) (\S+) (.+)$/i.exec(question) ?? [];
  if (/^(?:I|we)$/i.test(subject)) {
    const verb = wordsOf(rest).find((word) => !LIGHT.has(word));
    const at = words.findIndex(
      (word, index) =>
        /^(?:i|we)$/.test(word) &&
        (verb === undefined || words.slice(index + 1, index + 7).some((one) => toStem(one) === toStem(verb))),
    );
    const next = words.slice(at + 1, at + 7);
    if (
      at < 0 ||
      next.some((word) => /^(?:that|people|he|she|they|read|heard|saw)$/.test(word) && word !== verb)
    )
      return false;
  } else if (/\b(?:does|did)\b/i.test(question)) {
    const named = wordsOf(`${subject} ${rest}`)
      .filter((word) => !LIGHT.has(word))
      .map(toStem);
    if (!isInOrder(stemsOf(text), named.slice(0, 2))) return false;
  }
  for (const [, one = '', two = ''] of question.matchAll(/\b(?:my|our) (\S+)(?: (\S+))?/gi))
    for (const noun of [one, two].map((word) => word.toLowerCase().replace(/'s$/, ''))) {
      const at = words.findIndex((word) => word.replace(/'s$/, '') === noun);
      const isOthers = (word: string): boolean =>
        /'s$/.test(word) || /^(?:his|her|their|your|its|least)$/.test(word);
      if (
        at > 0 &&
        words
          .slice(Math.max(0, at - 2), at)
          .some((word) => isOthers(word) && !question.toLowerCase().includes(word))
      )
        return false;
    }
  return !/\bmy\b/i.test(question) || /\b(?:I|my|we|our|the)\b/i.test(text);
}

function isInOrder(stems: readonly string[], wanted: readonly string[]): boolean {
  let from = 0;
  return wanted.every((word) => (from = stems.indexOf(word, from) + 1) > 0);
}

/** The sentence of a clause as it was written, without its mark; undefined where it is too long to quote. */
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
  memories: readonly RecalledText[],
  wanted: readonly string[],
): MemoryAnswer | undefined {
  if (!/^(?:what|who|which|where|when|how)\b/i.test(question)) return undefined;
  const [best] = memories
    .filter(({ kind, text }) => {
      const concept = stemsOf(text.slice(0, Math.max(0, text.indexOf(': ')))).filter(
        (word) => !LIGHT.has(word),
      );
      return (
        kind === 'semantic' &&
        concept.length > 0 &&
        concept.every((word) => wanted.includes(word)) &&
        covers(text, wanted)
      );
    })
    .sort((one, other) => other.relevance - one.relevance);
  const [, concept = '', description = ''] = /^(.*?): (.*)$/s.exec(best?.text ?? '') ?? [];
  return (
    best && {
      text: `From what I know about ${concept}: ${description.slice(0, 2 * MAX_QUOTED)}`,
      sourceIds: [best.id],
    }
  );
}
