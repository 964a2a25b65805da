import { onceFor } from '../text/once-for';
import type { ToolDescription, ToolParameter } from '../types';
import { stem, wordsOf } from '../text/stem';
import { STOP_WORDS } from '../text/stop-words';
import { nounSenses, remembered, withKinds } from '../recall/wordnet';
import { baseForm } from '../text/base-forms';
import { examplesIn } from './examples';
import { termsOf } from './tool-terms';
import vocabulary from './vocabulary.json';

/** What kind of values a parameter takes, as its type, its name and its description tell. */
export type Kind =
  | 'choice'
  | 'flag'
  | 'number'
  | 'list'
  | 'json'
  | 'email'
  | 'url'
  | 'phone'
  | 'file'
  | 'date'
  | 'time'
  | 'code'
  | 'prose'
  | 'title'
  | 'person'
  | 'address'
  | 'place'
  | 'thing';

/** A parameter and what is known of it. */
export interface Slot {
  readonly name: string;
  readonly parameter: ToolParameter;
  readonly kinds: ReadonlySet<Kind>;
  /** Words of its name in lower case. */
  readonly nameWords: readonly string[];
  /** Stems of its name and of its description that say something. */
  readonly nameStems: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  /** Of these, what neither another parameter nor the tool itself is about. */
  readonly own: ReadonlySet<string>;
  readonly examples: readonly string[];
}

/** Of a name's words the last says most; of a description the first kind in this order that it speaks of. */
const tables = Object.entries(vocabulary.kinds).map(
  ([kind, words]) => [kind as Kind, new Set(words.split(' '))] as const,
);
/** Kinds that the description may add to those that the name tells. */
const ADDED: ReadonlySet<Kind> = new Set(['email', 'url', 'phone', 'date', 'time']);
const MOMENTS: ReadonlySet<Kind> = new Set(['date', 'time']);
/** What descriptions of any parameter say. */
const EMPTY = new Set(
  'whether true false such request written exactly name kind number many full left called asked wanted optional default list order example'
    .split(' ')
    .map(stem),
);

/** The parameters of a tool, in the order of their declaration. */
export const slotsOf = onceFor((tool: ToolDescription): readonly Slot[] => {
  const about = Object.entries(tool.parameters).map(([name, parameter]) => ({
    name,
    words: new Set([...contentStems(name), ...contentStems(parameter.description)]),
  }));
  const { name: toolName, description } = termsOf(tool);
  return Object.entries(tool.parameters).map(([name, parameter]) => {
    const words = about.find((one) => one.name === name)?.words ?? new Set<string>();
    const others = about.filter((one) => one.name !== name);
    const own = [...words].filter(
      (word) =>
        !EMPTY.has(word) &&
        !toolName.includes(word) &&
        !description.has(word) &&
        !others.some((other) => other.words.has(word)),
    );
    const examples = examplesIn(parameter);
    return {
      name,
      parameter,
      kinds: withCode(kindsOf(name, parameter), examples),
      nameWords: wordsOf(name),
      nameStems: new Set(wordsOf(name).map(plainStem)),
      words,
      own: new Set(own),
      examples,
    };
  });
});

/** `cost centre, such as CC-12` is a code. */
function withCode(kinds: ReadonlySet<Kind>, examples: readonly string[]): ReadonlySet<Kind> {
  return kinds.has('thing') && examples.some((one) => /\d/.test(one)) ? new Set(['code']) : kinds;
}

function contentStems(text: string): string[] {
  return wordsOf(text)
    .filter((word) => word.length > 1 && !STOP_WORDS.has(word))
    .map(plainStem);
}

/** The stem of a word, of which British and American spelling are one. */
export function plainStem(word: string): string {
  return remembered(stems, word, () => stem(baseForm(word).replace(/our(?=ed$|s?$|ing$)/, 'or')));
}

const stems = new Map<string, string>();

function kindsOf(name: string, { type, enum: choices, description }: ToolParameter): ReadonlySet<Kind> {
  if (choices) return new Set(['choice']);
  if (type === 'boolean') return new Set(['flag']);
  if (type === 'number' || type === 'integer') return new Set(['number']);
  if (type === 'array') return new Set(['list']);
  if (type === 'object') return new Set(['json']);
  const kinds = kindsOfText(name, description);
  return type === 'any' ? new Set([...kinds, 'json']) : kinds;
}

function kindsOfText(name: string, description: string): ReadonlySet<Kind> {
  const described = wordsOf(description.replace(/\b(?:such as|for example|e\.g\.).*$/i, ''));
  if (/\be-?mail address|\bphone number/i.test(description))
    return new Set<Kind>([
      ...(/\be-?mail/i.test(description) ? ['email' as const] : []),
      ...(/\bphone/i.test(description) ? ['phone' as const] : []),
    ]);
  const own = wordsOf(name);
  const kinds = new Set<Kind>();
  // `fileName` is a file, and a name alone a title.
  const words = own.length > 1 && own.at(-1) === 'name' ? ['name', ...own.slice(0, -1)] : own;
  for (const word of [...words].reverse()) {
    for (const kind of kindsOfWord(word)) kinds.add(kind);
    if (kinds.size > 0) break;
  }
  const isPerson = [...own, ...described].some((word) => word !== 'name' && isPersonWord(word));
  if (
    kinds.has('title') &&
    own.includes('name') &&
    (isPerson || /\b(?:full|first|last) name\b/i.test(description))
  )
    return new Set(['person']);
  if (kinds.size === 0 && own.some(isPersonWord)) return new Set(['person']);
  // What the name says counts more than what the description mentions besides.
  const found = described.filter((word) => !/^(?:from|to)$/.test(word)).flatMap(kindsOfWord);
  const isMoment = [...kinds].every((kind) => kind === 'date' || kind === 'time');
  for (const kind of found)
    if (kinds.size === 0 ? ADDED.has(kind) : isMoment && MOMENTS.has(kind)) kinds.add(kind);
  if (kinds.size === 0) kinds.add(tables.find(([kind]) => found.includes(kind))?.[0] ?? 'thing');
  if (kinds.has('code') && /\bthe text\b|\btext that\b/i.test(description)) return new Set(['prose']);
  return kinds;
}

/** True for `room` or `station`, which are part of what they name. */
export function isPlaceWord(word: string): boolean {
  return kindsOfWord(word).includes('place');
}

/** True for a word that first of all means a person: `dentist`, but not `plant`. */
function isPersonWord(word: string): boolean {
  if (kindsOfWord(word).length > 0) return kindsOfWord(word)[0] === 'person';
  const [first] = nounSenses(word);
  const [person = -1] = nounSenses('person');
  return first !== undefined && withKinds(first).has(person);
}

function kindsOfWord(word: string): Kind[] {
  return tables.filter(([, words]) => words.has(word)).map(([kind]) => kind);
}
