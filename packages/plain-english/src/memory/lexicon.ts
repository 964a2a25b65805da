import { singular } from '../text/stem';
import { setOf } from '../text/lexicon/words';
import lexicon from './lexicon.json';

/** What a value of an attribute may be. */
interface Attribute {
  readonly kind: string;
  /** Whether several values hold at a time. */
  readonly several?: boolean;
  /** The attribute that a value of this one is no longer in. */
  readonly opposite?: string;
}

/** A sentence with places for values. */
export interface Pattern {
  readonly expression: RegExp;
  /** What each place holds: the name of an attribute, `@` for one that the sentence names, `=` for its value, `#` for a count. */
  readonly slots: readonly { readonly name: string; readonly kind?: string | undefined }[];
  /** The attributes that have ended, if the words name none: those of a job in `I resigned`. */
  readonly ends: readonly string[];
}

const LISTS = new Map(Object.entries(lexicon.lists).map(([name, words]) => [name, setOf(words)]));
export type ListName = keyof typeof lexicon.lists;

/** Whether a word, in whatever case, is in a list of the lexicon. */
export function isIn(list: ListName, word: string): boolean {
  return LISTS.get(list)?.has(word.toLowerCase()) === true;
}

const ATTRIBUTES = new Map<string, Attribute>(Object.entries(lexicon.attributes));
const SPELLINGS = new Map(Object.entries(lexicon.spellings));
const SAME = new Map(Object.entries(lexicon.same));
const GROUPS = new Map(Object.entries(lexicon.groups));

/** What is known of an attribute; one that the lexicon does not name has a value at a time, unless it is said of several. */
export function attributeNamed(name: string): Attribute {
  return ATTRIBUTES.get(name) ?? { kind: 'my', several: isIn('several', name.split(' ').at(-1) ?? '') };
}

/** The attributes that a question for one of them may mean. */
export function attributesLike(name: string): readonly string[] {
  return GROUPS.get(name) ?? [name];
}

/** The name under which an attribute is kept: `my new cell number` is `phone number`. Undefined if the words name none that holds. */
export function toAttribute(words: string): string | undefined {
  const list = words
    .toLowerCase()
    .replace(/ at home$/, '')
    .split(' ');
  while (list.length > 1 && isIn('flexible', list[0] ?? '')) list.shift();
  const plain = list.map((word) => SPELLINGS.get(word) ?? word);
  const last = plain.pop() ?? '';
  const noun = singular(last);
  const name = [...plain, SPELLINGS.get(noun) ?? noun].join(' ');
  const isWord = /^[\p{L}\p{N}'’-]+(?: [\p{L}\p{N}'’-]+){0,5}$/u.test(name);
  if (!isWord || list.some((word) => isIn('stop', word) || isIn('notNow', word)) || list.length > 6)
    return undefined;
  if (isIn('notAttributes', list.at(-1) ?? '')) return undefined;
  return SAME.get(list.join(' ')) ?? SAME.get(name) ?? name;
}

function compile(line: string): Pattern {
  const [source = '', ends = ''] = line.split(' => ');
  const slots: { name: string; kind?: string | undefined }[] = [];
  const whole = source
    .replace(/\{(\w+)\}/g, (_all, macro: string) => lexicon.macros[macro as keyof typeof lexicon.macros])
    .replace(/<([^>:]+)(?::(\w+))?>/g, (_all, name: string, kind?: string) => {
      slots.push({ name, kind });
      return name === '#' ? '(\\w+)' : '(.{1,80}?)';
    });
  return { expression: new RegExp(`^${whole}$`, 'iu'), slots, ends: ends === '' ? [] : ends.split(',') };
}

/** Rewrites a text by the first expression that fits, or by all of them. */
type Rewrite = readonly [expression: RegExp, instead: string];
const toRewrites = (lines: readonly string[][], flags: string): readonly Rewrite[] =>
  lines.map(([pattern = '', instead = '']) => [new RegExp(pattern, flags), instead]);

/** Expressions for what words say of a whole clause, by name; what an expression is for stands beside it. */
export const WORDING = Object.fromEntries(
  Object.entries(lexicon.wording).map(([name, { expression, flags }]) => [
    name,
    new RegExp(expression, flags),
  ]),
) as Readonly<Record<keyof typeof lexicon.wording, RegExp>>;

/** Contracted words, such as `I'm`, and their full forms. */
export const FULL_FORMS = toRewrites(lexicon.fullForms, 'gi');
/** `where I live` in the form of a question. */
export const INDIRECT = toRewrites(lexicon.indirect, 'i');
/** What is said in return to small talk, the first that fits. */
export const SMALL_TALK = toRewrites(lexicon.smallTalk, '');
export const GERUNDS: Readonly<Record<string, string>> = lexicon.gerunds;

export const STATEMENTS: readonly Pattern[] = lexicon.statements.map(compile);
export const ENDINGS: readonly Pattern[] = lexicon.endings.map(compile);
const compileNamed = ([name = '', line = '']: readonly string[]) => ({ name, ...compile(line) });
/** Forms of questions: for all that is known, for an attribute, before as it was, in a list, or by its name. */
export const QUESTIONS = {
  everything: lexicon.everything.map(compile),
  before: lexicon.before.map(compileNamed),
  known: Object.entries(lexicon.questions).flatMap(([name, lines]) =>
    lines.map((line) => compileNamed([name, line])),
  ),
  /** For those values of some attributes that are in a list. */
  listed: lexicon.listed.map(([list = '', line = '', ...attributes]) => ({
    ...compile(line),
    list: list as ListName,
    attributes,
  })),
  named: lexicon.named.map(compile),
};
