import { stem } from '../text/stem';
import { POLITENESS, STOP_WORDS } from '../text/stop-words';
import type { Token } from '../text/token';
import { meansSame } from './synonyms';
import type { ToolTerms } from './tool-terms';
import vocabulary from './vocabulary.json';

/** Verbs that take back what most tools do. */
const TAKING_BACK = new Set(vocabulary['taking back'].split(' '));
/** Verbs that only ask to see something. */
const SHOWING = new Set('show list display view print'.split(' '));
const READING = new Set(vocabulary.reading.split(' ').map(stem));

const QUESTIONS = new Set('where when who why which did does has was were'.split(' '));
/** `Is breakfast included?` asks, and `is it possible to book a room?` wants something done. */
const YES_NO = new Set('is are was were does did has'.split(' '));
const POSSIBLE = new Set('possible ok okay chance available free alright fine anyone someone'.split(' '));
const WISHES = new Set('need want like please can could would will should'.split(' '));

/**
 * True where a sentence begins with a verb that asks for the opposite of what the tool does: `cancel the reservation` is
 * nothing for a tool that reserves, nor `show the reservations`.
 */
export function isContrary(tokens: readonly Token[], terms: ToolTerms): boolean {
  const { tool, verbs, name, description, parameters } = terms;
  // `Where is my bag? It was on flight ZK12.`: what follows a question says what is wanted.
  const question = tokens.findIndex(({ text }) => text === '?');
  const asked = question !== -1 && question < tokens.length - 2 ? tokens.slice(question + 1) : tokens;
  const all = asked.filter(({ kind }) => kind === 'word').map(({ lower }) => lower);
  // `How about two tickets?` proposes, and after a date nothing asks.
  const words = all[1] === 'about' ? all.slice(2) : all;
  const isFirst = asked[0]?.kind === 'word';
  const word = words.find((one) => one === 'show' || !(STOP_WORDS.has(one) || POLITENESS.has(one))) ?? '';
  const verb = stem(word);
  const own = [...verbs, ...name];
  const reads = own.some((term) => READING.has(term));
  const asksWhether = isFirst && YES_NO.has(words[0] ?? '') && !words.some((one) => POSSIBLE.has(one));
  if (asksWhether && asked === tokens && !reads) return true;
  // A question about something does not ask to do anything to it.
  if (
    isFirst &&
    (QUESTIONS.has(words[0] ?? '') || words[0] === 'how') &&
    !reads &&
    !words.some((one) => WISHES.has(one))
  )
    return true;
  if (own.some((term) => term === verb || meansSame(term, verb))) return false;
  // Only the bare form tells somebody to do it: `cancelled orders` may be searched for.
  const isChoice = Object.values(tool.parameters).some((one) =>
    one.enum?.some((value) => stem(value) === verb),
  );
  if (TAKING_BACK.has(word)) return !isChoice && !description.has(verb) && !parameters.has(verb);
  return SHOWING.has(word) && !reads;
}
