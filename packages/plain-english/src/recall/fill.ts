import { matchQuantity } from '../text/quantity';
import { tokenize } from '../text/tokenizer';
import { readAsked } from './asking';
import { sameUnit } from './evidence';
import { findTold } from './find';
import type { Found } from './found';
import { readPassages, textOf, type Told } from './passages';
import type { RecalledText } from './types';
import { wordsTagged } from '../text/lexicon/words';

/** A query with the remembered parts replaced, or why it could not be. */
export type Filled =
  | { readonly query: string; readonly unit?: string; readonly sourceIds: readonly string[] }
  | { readonly query: undefined; readonly reason: string };

interface Value {
  readonly text: string;
  readonly unit: string | undefined;
  readonly sourceId: string;
}

/** A calculation that goes on with what a question asked for: `…, times 4?`. */
const TAIL =
  /[,:;-]?\s+(?:and\s+|then\s+)?(?:times|multiplied\s+by|divided\s+by|plus|minus|[x×*/+÷])\s+(?:[$€£]?\d|\p{L}+(?:-\p{L}+)?\s*(?:[?.!]|$)|my\b|our\b|the\b).*$/iu;
const NAMED =
  /\b(?:my|our)\s+(?:(?!(?:by|times|plus|minus|and|from|to|in|into|with|multiplied|divided|than|is|are|was|for|if|per|over|on|at|of|or|then|when)\b)[\p{L}\p{N}'’-]+\s*){1,5}/giu;
const REFERRED =
  /^(.{5,300}?)[.,;?!]\s+(?:and\s+|then\s+|now\s+|please\s+)*([^.?!]{0,60}?)\b(that|it|this|the result|this number|that number)\b([^.?!]{0,80})[.?!]*$/i;
const COUNTED =
  /\bthe (?:(?:number|amount) of )?([\p{L} ]{1,40}?) (?:that |which )?((?:i|we) [\p{L}]+(?: (?!by\b|and\b|from\b|to\b|times\b|plus\b|minus\b|multiplied\b|divided\b)[\p{L}]+){0,4})/giu;
const HOME =
  /\b(?:where\s+(?:i|we)\s+live|(?:in\s+|at\s+)?(?:my|our)\s+(?:home\s?town|city|town|place|home)|at\s+home)\b/i;

/**
 * The query with what the user once said put in its place, so that a planner can go on: `How many litres did I say I use per
 * week, times 4?` gives `12 times 4`, in litres. Without any remembered part it can fill, it says why.
 */
export function fillFromMemories(query: string, memories: readonly RecalledText[], now: Date): Filled {
  const read = query.slice(0, 2_000).trim();
  const known = readPassages(
    memories.filter(({ timestamp }) => !(Date.parse(timestamp ?? '') > now.getTime() + DAY)),
  );
  const sourceIds: string[] = [];
  const missing: string[] = [];
  let unit: string | undefined;
  const use = (value: Value): string => {
    unit ??= value.unit;
    sourceIds.push(value.sourceId);
    return value.text;
  };
  const values = new Map<string, Value | undefined>();
  const lookUp = (asked: string): Value | undefined => {
    if (!values.has(asked) && values.size < MAX_ASKED) values.set(asked, valueOf(asked, known));
    return values.get(asked);
  };
  let filled = read;
  const asked = fillAsked(read, known) ?? fillReferred(read, known);
  if (asked) filled = `${use(asked.value)}${asked.tail}`;
  const home = HOME.exec(filled);
  if (home) {
    const place = homeOf(known);
    if (place) filled = filled.replace(home[0], () => `in ${use(place)}`);
  }
  filled = filled.replaceAll(COUNTED, (part, thing: string, rest: string) => {
    const value = lookUp(`how many ${thing} do ${rest}`);
    return value ? use(value) : part;
  });
  filled = filled.replaceAll(NAMED, (part) => {
    const name = part.trimEnd();
    const value = lookUp(`what is ${name}`);
    if (value) return use(value) + part.slice(name.length);
    missing.push(name);
    return part;
  });
  if (sourceIds.length === 0 || missing.length > 0) {
    return {
      query: undefined,
      reason:
        missing.length > 0
          ? `Nothing is known about ${missing.join(' and ')}.`
          : 'No memory has the values this needs.',
    };
  }
  return { query: tidy(filled), unit, sourceIds: [...new Set(sourceIds)] };
}

const DAY = 24 * 60 * 60 * 1_000;
/** Most values that are looked up for one query: each takes a search of all that was said. */
const MAX_ASKED = 8;

/** A question followed by a calculation: the value asked for, and the calculation. */
function fillAsked(
  query: string,
  memories: Told,
): { readonly value: Value; readonly tail: string } | undefined {
  const tail = TAIL.exec(query);
  if (!tail || tail.index === 0) return undefined;
  const value =
    valueOf(query.slice(0, tail.index), memories) ??
    valueOf(lastQuestion(query.slice(0, tail.index)), memories);
  const rest = tail[0].replace(/^[,:;-]?\s+(?:and\s+|then\s+)?/i, ' ').replace(/\s*[?.!]+$/, '');
  return value && { value, tail: rest };
}

/** `You know how many km I drive. Multiply that by 5.`: the pronoun stands for what was asked. */
function fillReferred(
  query: string,
  memories: Told,
): { readonly value: Value; readonly tail: string } | undefined {
  const cut = REFERRED.exec(query);
  const [, before = '', lead = '', pronoun = '', after = ''] = cut ?? [];
  const value = cut ? valueOf(lastQuestion(before), memories) : undefined;
  return value && { value: { ...value, text: `${lead}${value.text}` }, tail: pronoun === '' ? '' : after };
}

function lastQuestion(text: string): string {
  const at = Math.max(
    text.lastIndexOf('how many'),
    text.lastIndexOf('how much'),
    text.lastIndexOf('what'),
    text.lastIndexOf('the number of'),
  );
  return at < 0 ? text : text.slice(at).replace(/^(?:is )?the number of (\S+)/i, 'how many $1 do');
}

function valueOf(text: string, memories: Told): Value | undefined {
  const question = readAsked(text);
  if (!question) return undefined;
  for (const found of findTold(question, memories)) {
    const value = amountOf(question.unit, found);
    if (value) return value;
  }
  return undefined;
}

const NO_UNIT = wordsTagged('no-unit');
const SIGNS: Readonly<Record<string, string>> = { '€': 'euros', $: 'dollars', '£': 'pounds' };

/** The number of a statement: the one with the unit asked for, else the first. */
function amountOf(unit: string | undefined, { passage, clause }: Found): Value | undefined {
  const { tokens } = tokenize(textOf(passage, clause.words));
  let first: Value | undefined;
  for (let at = 0; at < tokens.length; at++) {
    const quantity = matchQuantity(tokens, at);
    if (!quantity) continue;
    const next = tokens[quantity.next];
    const word = next?.kind === 'word' && !NO_UNIT.has(next.lower) ? next.lower : undefined;
    const measured = quantity.currency === undefined ? word : (SIGNS[quantity.currency] ?? word);
    const value: Value = {
      text: `${quantity.value}${quantity.percent ? '%' : ''}`,
      unit: measured,
      sourceId: passage.memory.id,
    };
    const after = tokens.slice(quantity.next, quantity.next + 3);
    if (unit !== undefined && after.some(({ lower }) => sameUnit(lower, unit))) return { ...value, unit };
    first ??= value;
    at = quantity.next - 1;
  }
  return first;
}

/** The place where the user lives. */
function homeOf(memories: Told): Value | undefined {
  const question = readAsked('where do I live');
  const found = question && findTold(question, memories)[0];
  if (!found) return undefined;
  const said = textOf(found.passage, found.clause.words);
  const place = /(?<=\s)(?!I\b)\p{Lu}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*){0,3}/u.exec(said)?.[0];
  return place === undefined
    ? undefined
    : { text: place, unit: undefined, sourceId: found.passage.memory.id };
}

function tidy(text: string): string {
  return text
    .replace(/\bin in\b/gi, 'in')
    .replace(/\s+/g, ' ')
    .trim();
}
