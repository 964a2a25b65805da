import { readAsking, readWhether } from './asking';
import { sentencesOf } from './clauses';
import { readNamed } from './predicates';
import { make, textOf } from './question';
import { readSubject, USER } from './subjects';
import type { Question } from './types';
import { AUXILIARIES } from './verbs';
import { conceptOf, LIGHT, toWords, type Word } from './words';

const ASKING = new Set(['what', 'which', 'who', 'whom', 'whose', 'where', 'when', 'how', 'why']);
/** What stands around the question itself. */
const AROUND: readonly RegExp[] = [
  /^(?:hi|hello|hey|ok|okay|so|and|but|well|please|also|then|now|sorry|by the way|quick question|again|just|um|oh) ?[,!:.-]? /,
  /^(?:can|could|would|will) you (?:please )?(?:still )?(?:tell|remind|give|show|remember|recall|say)(?: to)?(?: me)?(?: again)?(?: of| about)? /,
  /^(?:please )?(?:tell|remind|give|show) me(?: again)?(?: please)?(?: of)? /,
  /^(?:do|did) you (?:still )?(?:happen to )?(?:remember|know|recall|have any idea|note|store|save|keep)(?: of)? /,
  /^(?:any idea|any clue|i have no idea|i can not recall|i forgot|i forget|i wonder|i can not remember|i do not remember|i need to know|i want to know|i would like to know|i was wondering)(?: about)? ,? ?/,
  /^(?:from (?:our|my) (?:last|previous|earlier)? ?(?:chats?|conversations?)|based on what (?:i|you) \S+(?: \S+){0,3}|according to (?:my|your) (?:notes|memory|memories)|from memory|from what i(?: have)? told you|as far as you know) ,? ?/,
];
/** `did I say`, `did I tell you that`: what is asked is what comes after. */
const SAID =
  / (?:(?:did|have) i (?:say|said|tell|told|mention|mentioned|note|noted)(?: to)?(?: you)?(?: before| earlier| once)?(?: that)?|i (?:said|told you|mentioned)(?: that)?|do you (?:think|remember|know)(?: that)?|you (?:know|think|remember)) /;
const TAIL =
  /,? (?:again|please|exactly|by the way|btw|do you know|do you remember|if you remember|then|you know|can you tell me|right)$/;

/** What a text asks; undefined for one that asks nothing that somebody may have told. */
export function readQuestion(query: string): Question | undefined {
  const words = wordsOfLast(query);
  if (!words) return undefined;
  const question = readTopic(words) ?? readBare(strip(words));
  return question && withChoice({ ...question, tense: tenseOf(words) }, words);
}

function tenseOf(words: readonly Word[]): Question['tense'] {
  const text = textOf(words);
  if (
    /\b(?:will|am|are|is) (?:i|we|my|our)\b.*(?:ing\b|$)/.test(text) &&
    /\bwill\b|\b(?:am|are) (?:i|we) \w+ing\b/.test(text)
  )
    return 'future';
  return /\b(?:did|was|were|have|has) (?:i|we)\b/.test(text) && !/\bhave (?:i|we) got\b/.test(text)
    ? 'past'
    : undefined;
}

/** `tea or coffee`: one of them has to be in the answer, and neither need be. */
function withChoice(question: Question, words: readonly Word[]): Question {
  const at = words.findIndex(({ lower }) => lower === 'or');
  const nouns = words.map(({ lower }) => lower).filter((lower) => lower === 'or' || !LIGHT.has(lower));
  const or = nouns.indexOf('or');
  const [left, right] = [nouns[or - 1], nouns[or + 1]];
  if (at < 1 || left === undefined || right === undefined) return question;
  const anyOf = [left, right].map(conceptOf);
  const terms = question.terms.filter((term) => !anyOf.includes(term));
  return { ...question, wanted: question.wanted === 'whether' ? 'what' : question.wanted, terms, anyOf };
}

function wordsOfLast(query: string): Word[] | undefined {
  const sentence = sentencesOf(query.slice(0, 1_000)).findLast(
    (one) => one.length > 1 || one.at(-1)?.text === '?',
  );
  if (!sentence) return undefined;
  return toWords(sentence);
}

function readBare(words: readonly Word[]): Question | undefined {
  const first = words[0]?.lower ?? '';
  if (words.length === 0 || words.length > 30) return undefined;
  if (ASKING.has(first)) return readAsking(words);
  if (isPreposition(first) && ASKING.has(words[1]?.lower ?? ''))
    return readAsking([...words.slice(1), ...words.slice(0, 1)]);
  if (AUXILIARIES.has(first) && words.length > 1) return readWhether(words);
  if (words.some(({ lower }) => lower === 'my' || lower === 'our')) return readNamed(words, 'what');
  return undefined;
}

const TOPIC =
  /^(?:.{0,30} )?(?:what|everything|anything|all|tell me|remind me|remember|summari[sz]e)(?: else)?(?: (?:that|what|everything|all))?(?: (?:do|did|have|can|could|would))?(?: (?:you|i|we))?(?: (?:still|already|ever))? ?(?:know|remember|recall|tell|told|say|said|mention|mentioned|learn|learned|talk|talked|have stored|stored|remind)?(?: to)?(?: you| me)? about (.{1,80})$/;

/** `what do you know about me`, `what did I tell you about my dog`. */
function readTopic(all: readonly Word[]): Question | undefined {
  const words = all.filter(({ token }) => !(token.kind === 'symbol' && /[?!"“”.,]/.test(token.text)));
  const text = textOf(words);
  const about = TOPIC.exec(text)?.[1];
  if (about === undefined) return undefined;
  const topic = words.slice(words.length - about.split(' ').length);
  if (/^(?:me|myself|us)$/.test(about)) return make('about', USER, undefined, []);
  const subject = readSubject(topic);
  return subject?.who === 'other' ? make('about', subject, undefined, subject.terms) : undefined;
}

function strip(words: readonly Word[]): Word[] {
  let left = words.filter(({ token }) => !(token.kind === 'symbol' && /[?!"“”.]/.test(token.text)));
  for (let round = 0; round < 4; round++) {
    const text = `${textOf(left)} `;
    const found = AROUND.map((pattern) => pattern.exec(text)?.[0]).find((lead) => lead !== undefined);
    if (found === undefined) break;
    const rest = left.slice(found.trim().split(' ').length);
    if (rest.length === 0) break;
    left = rest;
    if (left[0]?.lower === 'if' || left[0]?.lower === 'whether' || left[0]?.lower === 'that')
      left = left.slice(1);
  }
  const tail = TAIL.exec(textOf(left))?.[0];
  if (tail !== undefined) left = left.slice(0, left.length - tail.trim().split(' ').length);
  const said = SAID.exec(` ${textOf(left)} `);
  if (said && said.index > 0 && ASKING.has(left[0]?.lower ?? '')) {
    const before = ` ${textOf(left)} `.slice(0, said.index).trim().split(' ').length;
    const count = said[0].trim().split(' ').length;
    const rest = left.slice(before + count);
    if (rest.length > 0 && rest[0]?.lower !== 'about') left = [...left.slice(0, before), ...rest];
  }
  return left;
}

function isPreposition(word: string): boolean {
  return ['in', 'at', 'on', 'for', 'with', 'to', 'from', 'by', 'since', 'about', 'of', 'until'].includes(
    word,
  );
}
