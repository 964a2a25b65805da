import { matchQuantity } from '../text/quantity';
import { tokenize } from '../text/tokenizer';
import { readAsked } from './asking';
import { sameUnit } from './evidence';
import { findTold } from './find';
import type { Found } from './lookup';
import { knownBy, readPassages, textOf, type Told } from './passages';
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
  const known = readPassages(knownBy(now, memories));
  const used: Value[] = [];
  const missing: string[] = [];
  const use = (value: Value): string => {
    used.push(value);
    return value.text;
  };
  const values = new Map<string, Value | undefined>();
  const lookUp = (asked: string): Value | undefined => {
    if (!values.has(asked) && values.size < MAX_ASKED) values.set(asked, valueOf(asked, known));
    return values.get(asked);
  };
  const filled = fillQuestion(query.slice(0, 2_000).trim(), known, use)
    .replace(HOME, (part) => {
      const place = homeOf(known);
      return place ? `in ${use(place)}` : part;
    })
    .replaceAll(COUNTED, (part, thing: string, rest: string) => {
      const value = lookUp(`how many ${thing} do ${rest}`);
      return value ? use(value) : part;
    })
    .replaceAll(NAMED, (part) => {
      const name = part.trimEnd();
      const value = lookUp(`what is ${name}`);
      if (!value) missing.push(name);
      return value ? use(value) + part.slice(name.length) : part;
    });
  if (missing.length > 0)
    return { query: undefined, reason: `Nothing is known about ${missing.join(' and ')}.` };
  if (used.length === 0) return { query: undefined, reason: 'No memory has the values this needs.' };
  const unit = used.find((value) => value.unit !== undefined)?.unit;
  return { query: tidy(filled), unit, sourceIds: [...new Set(used.map(({ sourceId }) => sourceId))] };
}

/** Most values that are looked up for one query: each takes a search of all that was said. */
const MAX_ASKED = 8;

/** A question that a calculation follows, `…, times 4?`, or one that points to it, `Multiply that by 5.`: the value in its place. */
function fillQuestion(query: string, known: Told, use: (value: Value) => string): string {
  const tail = TAIL.exec(query);
  const asked = query.slice(0, tail?.index ?? 0);
  const value = valueOf(asked, known) ?? valueOf(lastQuestion(asked), known);
  if (tail && value)
    return use(value) + tail[0].replace(/^[,:;-]?\s+(?:and\s+|then\s+)?/i, ' ').replace(/\s*[?.!]+$/, '');
  const [, before = '', lead = '', , after = ''] = REFERRED.exec(query) ?? [];
  const referred = valueOf(lastQuestion(before), known);
  return referred ? lead + use(referred) + after : query;
}

function lastQuestion(text: string): string {
  const at = Math.max(
    ...['how many', 'how much', 'what', 'the number of'].map((asking) => text.lastIndexOf(asking)),
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
