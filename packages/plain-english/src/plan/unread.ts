import { lexArithmetic } from '../arithmetic/lexer';
import { meaningOf } from '../arithmetic/lexicon';
import { termsOf } from '../arguments/tool-terms';
import { sameMeaning } from '../arguments/synonyms';
import { isReadingMethod } from '../http/methods';
import { KNOWN_TOOLS } from '../known-tools';
import { wordsTagged } from '../text/lexicon/words';
import { stem, wordsOf } from '../text/stem';
import { matchQuantity } from '../text/quantity';
import { POLITENESS, PRONOUNS, STOP_WORDS } from '../text/stop-words';
import { lowerAt, type Token, type TokenText } from '../text/token';
import type { ToolDescription } from '../types';
import { notUnderstood } from './problem';
import { parseReference, type PlannedStep } from './step';

const SKIPPED = wordsTagged('skipped');
const CONDITIONS = wordsTagged('conditions');
const FILES = wordsTagged('file-verbs');
const LABELS = wordsTagged('labels');
const AROUND = wordsTagged('around');
const REQUESTS = wordsTagged('request-verbs');
const SENDING = wordsTagged('sending');
const READING = wordsTagged('reading');
/** After these the next clause begins, whatever it says; after the others where it begins with a word that no value holds. */
const STRONG = new Set(['.', '?', '!', ';', 'then', 'finally', 'afterwards', 'lastly', 'also']);
const WEAK = new Set(['and', ',', '&', 'but', 'or']);
/** Kinds of which a call need not hold each one. */
const PLAIN = new Set(['word', 'symbol', 'ordinal', 'jsonpath', 'dotted', 'domain']);
const DOCUMENTS = new Set(['json', 'url', 'file']);
/** Begins what may be asked of a document. */
const ASKING = new Set('is are has does count list read return sum look work say just only'.split(' '));
const QUESTIONS = new Set('what which who whose how when where'.split(' '));
const OPERATIONS = new Set(['verb', 'infix', 'unary', 'function']);
const POINTING = new Set('result results answer total sum outcome product many much'.split(' '));
/** A clause with one of these is a greeting. */
const GREETINGS = new Set('thanks thank thx cheers hello hi hey morning afternoon evening'.split(' '));
/** The longest greeting, tokens: `thanks a lot for that`. */
const MAX_GREETING = 5;

/** A place in the source; `end` is exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** What the calls of a plan hold. */
interface Held {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  /** Stems of words that choose the tools of the plan, or say what to do with them. */
  readonly words: ReadonlySet<string>;
}

/**
 * Refuses a plan that leaves a clause of the sentence out. A clause is read where a call holds a value of it, or where all of its
 * words say which tool is meant; a later clause has to begin with a word that is read, because that one says what to do.
 * @param values places in the source that were read as values, whatever the calls hold for them
 * @throws PlainEnglishError `QUERY_NOT_UNDERSTOOD`
 */
export function refuseUnread(
  text: TokenText,
  steps: readonly PlannedStep[],
  tools: readonly ToolDescription[],
  values: readonly Span[],
): void {
  const check = new Reading(text, steps, tools, values);
  if (check.takesUnsaid()) throw notUnderstood('Which value of a call is the result before it is not clear.');
  const unread = check.clauses().find((clause, at) => check.isUnread(clause, at));
  if (unread) throw notUnderstood(`What to do with "${shown(text, unread)}" is not clear.`);
}

class Reading {
  private readonly held: Held;
  /** Tokens that stand in the value of a call. */
  private readonly inValue: ReadonlySet<Token>;
  private readonly arithmetic: ReadonlySet<Token>;
  private readonly isDocument: boolean;

  constructor(
    private readonly text: TokenText,
    private readonly steps: readonly PlannedStep[],
    tools: readonly ToolDescription[],
    private readonly values: readonly Span[],
  ) {
    this.held = heldBy(steps, tools);
    this.inValue = this.findValues();
    this.isDocument = text.tokens.some(({ kind }) => DOCUMENTS.has(kind)) && !steps.some(isChange);
    const calculates = steps.some(({ toolName }) => toolName === 'calculator');
    const lexemes = calculates ? lexArithmetic(text.tokens, true) : [];
    this.arithmetic = new Set(
      lexemes.flatMap(({ type, token }) => {
        const isJoint = type !== 'number' && WEAK.has(token.lower);
        if (type === 'unknown' || type === 'separator' || isJoint) return [];
        const at = text.tokens.indexOf(token);
        const next = type === 'number' ? matchQuantity(text.tokens, at, { joinAnd: true })?.next : undefined;
        return text.tokens.slice(at, next ?? at + 1);
      }),
    );
  }

  clauses(): readonly (readonly Token[])[] {
    const { tokens } = this.text;
    const clauses: Token[][] = [[]];
    for (const [at, token] of tokens.entries()) {
      if (this.inValue.has(token) || this.arithmetic.has(token)) clauses.at(-1)?.push(token);
      else if (STRONG.has(token.lower)) clauses.push([]);
      else if (WEAK.has(token.lower) && this.beginsOther(at + 1)) clauses.push([]);
      else clauses.at(-1)?.push(token);
    }
    return clauses;
  }

  /** True where a registered tool takes the result of a call before it, and no word of the sentence points to that. */
  takesUnsaid(): boolean {
    const takes = this.steps.some(
      ({ toolName, args }) =>
        !KNOWN_TOOLS.some(({ name }) => name === toolName) &&
        Object.values(args).some((value) => parseReference(value) !== undefined),
    );
    return takes && !this.text.tokens.some(({ lower }) => PRONOUNS.has(lower) || POINTING.has(lower));
  }

  private beginsOther(at: number): boolean {
    let begin = at;
    while (SKIPPED.has(lowerAt(this.text.tokens, begin))) begin++;
    const token = this.text.tokens[begin];
    const isValue = token !== undefined && (this.inValue.has(token) || this.arithmetic.has(token));
    const isQuestion = token !== undefined && QUESTIONS.has(token.lower);
    return token?.kind === 'word' && !isValue && (isQuestion || !isLight(token));
  }

  isUnread(clause: readonly Token[], at: number): boolean {
    const isAbout = this.isDocument && (at === 0 || clause.some(({ kind }) => DOCUMENTS.has(kind)));
    if (!isAbout && clause.some((token) => isTelling(token) && !this.isRead(token))) return true;
    const content = clause.filter(
      (token) => token.kind !== 'symbol' && !isLight(token) && !AROUND.has(token.lower),
    );
    if (content.length === 0) return false;
    if (clause.length <= MAX_GREETING && clause.some(({ lower }) => GREETINGS.has(lower))) return false;
    const first = clause.find(({ lower }) => !SKIPPED.has(lower) && !POLITENESS.has(lower));
    // What is asked of a document is read where the document is looked into, and refused there.
    if (this.isDocument && first && (asksDocument(first) || clause.some(({ lower }) => QUESTIONS.has(lower))))
      return false;
    const isOrder = at > 0 && first !== undefined && first.kind === 'word' && !isLight(first);
    if (isOrder && !this.isRead(first) && !AROUND.has(first.lower)) return true;
    if (isAbout) return false;
    const holds = content.some((token) => this.inValue.has(token) || this.arithmetic.has(token));
    return !holds && !content.every((token) => this.isRead(token)) && !this.hasOwnStep(content);
  }

  private isRead(token: Token): boolean {
    return this.inValue.has(token) || this.arithmetic.has(token) || this.held.words.has(stem(token.lower));
  }

  /** True where a clause names a tool whose call holds no value of the sentence, as `roll the dice`. */
  private hasOwnStep(content: readonly Token[]): boolean {
    const isBare = ({ args }: PlannedStep): boolean =>
      Object.values(args).every((value) => parseReference(value) !== undefined);
    return this.steps.some(isBare) && content.some((token) => this.isRead(token));
  }

  private findValues(): ReadonlySet<Token> {
    const source = this.text.source.toLowerCase();
    const { texts, numbers } = this.held;
    const spans: Span[] = [...this.values];
    for (const value of texts.filter((one) => /\s/.test(one)))
      for (let from = source.indexOf(value); from !== -1; from = source.indexOf(value, from + 1))
        spans.push({ start: from, end: from + value.length });
    const words = new Set(texts.flatMap((one) => one.split(/[^\p{L}\p{N}]+/u)).map(stem));
    const isHeld = (token: Token): boolean => {
      if (spans.some(({ start, end }) => token.start >= start && token.end <= end)) return true;
      if (token.kind === 'symbol') return false;
      if (typeof token.value === 'number' && isHeldNumber(token.value, numbers)) return true;
      const value = typeof token.value === 'string' ? token.value.toLowerCase() : token.lower;
      const parts = value.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');
      if (parts.length > 0 && parts.every((part) => words.has(stem(part)))) return true;
      if (token.kind === 'word') return false;
      return (
        texts.some((one) => one.includes(token.lower) || one.includes(value)) || isJson(token, texts, numbers)
      );
    };
    return new Set(this.text.tokens.filter(isHeld));
  }
}

function isChange({ args }: PlannedStep): boolean {
  return args['body'] !== undefined || !isReadingMethod(args['method'] ?? 'GET');
}

function asksDocument({ lower }: Token): boolean {
  return ASKING.has(lower) || READING.has(lower) || OPERATIONS.has(meaningOf(lower)?.type ?? '');
}

/** A JSON value in the sentence may be held in parts. */
function isJson({ kind, value }: Token, texts: readonly string[], numbers: readonly number[]): boolean {
  if (kind !== 'json') return false;
  const held: string[] = [];
  const counted: number[] = [];
  collect(value, held, counted);
  return held.every((one) => texts.includes(one)) && counted.every((one) => numbers.includes(one));
}

/** As it is, or as the share that a percentage is. */
function isHeldNumber(value: number, numbers: readonly number[]): boolean {
  return [value, -value, value / 100, 1 + value / 100, 1 - value / 100].some((one) =>
    numbers.some((held) => Math.abs(held - one) <= 1e-9 * Math.max(1, Math.abs(one))),
  );
}

/** What always says something, as an address, a number or an id. */
function isTelling({ kind, lower }: Token): boolean {
  return !PLAIN.has(kind) || (kind === 'word' && /\d/.test(lower) && /^[a-z\d_-]+$/.test(lower));
}

function isLight({ kind, lower }: Token): boolean {
  return kind === 'word' && (STOP_WORDS.has(lower) || POLITENESS.has(lower));
}

function heldBy(steps: readonly PlannedStep[], tools: readonly ToolDescription[]): Held {
  const texts: string[] = [];
  const numbers: number[] = [];
  const words = new Set<string>();
  for (const { toolName, args } of steps) {
    collect(args, texts, numbers);
    const tool = tools.find(({ name }) => name === toolName);
    if (tool) for (const word of wordsAbout(tool, args)) words.add(word);
  }
  return { texts, numbers, words };
}

/** Stems by which a text says that it means a tool, and that it gives these arguments. */
function wordsAbout(tool: ToolDescription, args: PlannedStep['args']): Iterable<string> {
  const { name, verbs, description } = termsOf(tool);
  const given = Object.keys(args).flatMap((key) => [
    ...wordsOf(key),
    ...wordsOf(tool.parameters[key]?.description ?? ''),
  ]);
  const own: Readonly<Record<string, Iterable<string>>> = {
    api_call: [
      'request',
      'api',
      'endpoint',
      'header',
      'body',
      'response',
      'json',
      ...'set include pass try ask authenticate replace nothing'.split(' '),
      ...LABELS,
      ...REQUESTS,
      ...SENDING,
    ],
    weather: ['weather', 'forecast', ...CONDITIONS],
    file_read: ['file', ...FILES],
    json_reader: READING,
  };
  const said = [...name, ...verbs, ...description, ...[...given, ...(own[tool.name] ?? [])].map(stem)];
  return said.flatMap((word) => [word, ...sameMeaning(word)]);
}

/** The texts and numbers of a value, in lower case, with the names that they have. */
function collect(value: unknown, texts: string[], numbers: number[]): void {
  if (typeof value === 'number') numbers.push(value);
  else if (typeof value === 'boolean') texts.push(String(value));
  else if (typeof value === 'string' && parseReference(value) === undefined) texts.push(value.toLowerCase());
  else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      if (!Array.isArray(value)) texts.push(name.toLowerCase());
      collect(one, texts, numbers);
    }
  }
}

function shown({ source }: TokenText, clause: readonly Token[]): string {
  return source.slice(clause[0]?.start ?? 0, clause.at(-1)?.end ?? 0).slice(0, 80);
}
