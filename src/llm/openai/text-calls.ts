import { isJsonObject, type JsonObject } from '../../contracts/json';
import type { CalledFunction } from './answer';
import { readLeadingJson } from './json-in-text';
import { type Block, MARKUPS, OTHER_BLOCKS } from './call-markup';

/** In a longer text no calls are looked for, because that takes time that grows with its length. */
const MAX_READ = 100_000;
/** Fields of a written call that have the name of the function, and those that have its arguments. */
const NAMES = ['name', 'function', 'tool', 'tool_name', 'function_name'];
const ARGUMENTS = ['arguments', 'parameters', 'args', 'input', 'params'];
/** Signs that some model writes before or after a call, in forms that are not read. */
const OTHER_MARKUP =
  /<｜tool▁calls?▁begin｜>|^```tool_code\b|<\|tool_calls?_(?:section_)?begin\|>|^<function_calls>|^<\/?tool_call>/m;
/** How the body of a call begins, and how markup ends. A mark with neither is one that a sentence is about. */
const CALL_BODY = /^(?:[{[<]|[\w.]+\(|$)/;
const CLOSING = /(?:<\/[\w:]+>|\|>)$/;

/** Calls that stand in the text of an answer. */
export interface TextCalls {
  readonly calls: readonly CalledFunction[];
  /** What is wrong with a text that is neither a call nor an answer; undefined if it is one of them. */
  readonly problem?: string;
}

const NOTHING: TextCalls = { calls: [] };
const UNREADABLE: TextCalls = {
  calls: [],
  problem:
    'it has a tool call in its text that cannot be read; call the tool as it is offered, or answer in words',
};
const AMONG_WORDS: TextCalls = {
  calls: [],
  problem: 'it has a tool call among its words; call the tool without any words, or answer in words alone',
};

/**
 * Reads the calls that a model wrote as text, in the markup of its training or as JSON, because not every server reads
 * them. A call is taken only if nothing but fences stands around it. Pure.
 * @param content a text without the thoughts before it
 * @param isOffered whether a function of this name was offered. JSON that names none is an answer.
 */
export function readTextCalls(content: string, isOffered: (name: string) => boolean): TextCalls {
  const text = content.trim();
  const markup = MARKUPS.find(({ sign }) => sign.test(text.slice(0, MAX_READ)));
  if (markup === undefined) {
    if (OTHER_MARKUP.test(text.slice(0, MAX_READ))) return UNREADABLE;
    return readJsonCalls(text, isOffered);
  }
  if (text.length > MAX_READ) return UNREADABLE;
  const { blocks, rest } = markup.split(withoutFences(text));
  if (rest !== '') return AMONG_WORDS;
  const calls = blocks.map(readBlock);
  return calls.some((read) => read.length === 0) ? UNREADABLE : { calls: calls.flat() };
}

/**
 * Whether a text is nothing but calls in the markup of a model, whatever they call. JSON without a mark is an answer, and so
 * is a text that is too long to be looked at. Pure.
 * @param content a text without the thoughts before it
 */
export function isCallMarkup(content: string): boolean {
  if (content.length > MAX_READ) return false;
  const text = content.trim();
  if (OTHER_BLOCKS.some((block) => text.search(block) === 0 && text.replace(block, '').trim() === ''))
    return true;
  const bare = withoutFences(text);
  const markup = MARKUPS.find(({ sign }) => sign.test(bare));
  if (markup === undefined) return false;
  const { blocks, rest } = markup.split(bare);
  const isClosed = CLOSING.test(bare);
  return rest === '' && blocks.every(({ body }) => isClosed || CALL_BODY.test(withoutFences(body)));
}

/** Reads calls that are JSON alone. */
function readJsonCalls(text: string, isOffered: (name: string) => boolean): TextCalls {
  if (!mentionsCall(text.slice(0, MAX_READ), isOffered)) return NOTHING;
  if (text.length > MAX_READ) return UNREADABLE;
  const bare = withoutFences(text);
  const values: unknown[] = [];
  let rest = bare;
  for (let next = readLeadingJson(rest); next !== undefined; next = readLeadingJson(rest)) {
    values.push(next.value);
    rest = next.rest.replace(/^[\s,;]+/, '');
  }
  const calls = values.flatMap(readCallsIn);
  if (values.length === 0) return /^[{[]/.test(bare) ? UNREADABLE : AMONG_WORDS;
  if (calls.length === 0 || !calls.every(({ name }) => isOffered(name))) return NOTHING;
  return rest === '' ? { calls } : AMONG_WORDS;
}

/** Whether a text has JSON that names an offered function and has arguments for it. */
function mentionsCall(text: string, isOffered: (name: string) => boolean): boolean {
  const named = text.matchAll(/"(?:name|function|tool|tool_name|function_name)"\s*:\s*"([^"\\]{1,200})"/g);
  if (![...named].some(([, name = '']) => isOffered(name))) return false;
  return /"(?:arguments|parameters|args|input|params)"\s*:/.test(text);
}

/** Reads the calls in one block of markup; empty if it has none. */
function readBlock({ name, body }: Block): CalledFunction[] {
  const text = withoutFences(body.trim());
  const parameters = readParameters(text);
  if (name !== undefined) {
    if (text === '') return [{ id: '', name, args: {} }];
    if (parameters !== undefined) return [{ id: '', name, args: parameters }];
    const json = readLeadingJson(text);
    return json !== undefined && json.rest.trim() === '' && isJsonObject(json.value)
      ? [{ id: '', name, args: json.value }]
      : [];
  }
  const calls: CalledFunction[] = [];
  let rest = text;
  for (let next = readLeadingJson(rest); next !== undefined; next = readLeadingJson(rest)) {
    calls.push(...readCallsIn(next.value));
    rest = next.rest.replace(/^[\s,;]+/, '');
  }
  return rest === '' ? calls : [];
}

/** Reads arguments in elements of their own: `<parameter=a>1</parameter>` or `<parameter name="a">1</parameter>`. */
function readParameters(text: string): JsonObject | undefined {
  const element = /<parameter(?:=| name=")([^>"]{1,200})"?[^>]*>([\s\S]*?)(?:<\/parameter>|$)/g;
  const entries = [...text.matchAll(element)].map(([, name = '', value = '']) => [name.trim(), value.trim()]);
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as JsonObject);
}

/** The calls in a JSON value: one call, a list of calls, or the field `tool_calls` of a message. */
function readCallsIn(value: unknown): CalledFunction[] {
  if (Array.isArray(value)) {
    const calls = value.map(readCallsIn);
    return calls.some((read) => read.length === 0) ? [] : calls.flat();
  }
  if (!isJsonObject(value)) return [];
  if (Array.isArray(value['tool_calls'])) return readCallsIn(value['tool_calls']);
  if (isJsonObject(value['function'])) return readCallsIn(value['function']);
  const name = NAMES.map((field) => value[field]).find((one) => typeof one === 'string');
  const args = ARGUMENTS.map((field) => value[field]).find((one) => one !== undefined);
  if (typeof name !== 'string') return [];
  if (args === undefined || args === null) return [{ id: '', name, args: {} }];
  return typeof args === 'string' || isJsonObject(args) ? [{ id: '', name, args }] : [];
}

/** A text without the lines that begin and end a block of code. Pure. */
export function withoutFences(text: string): string {
  return text.replaceAll(/^[ \t]*```[\w-]*[ \t]*$/gm, '').trim();
}
