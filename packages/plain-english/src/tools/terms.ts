import { stem, wordsOf } from '../text/stem';
import { setOf, wordsTagged } from '../text/lexicon/words';
import sameVerbs from './same-verbs.json';
import type { ToolDescription, ToolParameter } from '../types';

/** A parameter of a tool. */
export interface Slot {
  readonly name: string;
  readonly parameter: ToolParameter;
  /** The words that may stand before its value. */
  readonly labels: readonly (readonly string[])[];
  /** Stems of the words of its name, and of its description. */
  readonly nameStems: ReadonlySet<string>;
  readonly stems: ReadonlySet<string>;
  /** Its name and description in lower case, to see what kind of text it takes. */
  readonly about: string;
  readonly choices: readonly string[];
}

/** Words by which a text means a parameter, or one of the texts that it allows. */
interface Phrase {
  readonly slot: Slot;
  readonly words: readonly string[];
  /** The allowed text. */
  readonly value: string;
}

/** Phrases by their first word: the stem of a label, the word of an allowed text. */
export type Phrases = ReadonlyMap<string, readonly Phrase[]>;

/** What a tool is recognized by. */
export interface ToolTerms {
  readonly tool: ToolDescription;
  /** Its name in words. */
  readonly name: string;
  /** Stems of its name and of its description. */
  readonly nameStems: ReadonlySet<string>;
  readonly stems: ReadonlySet<string>;
  /** What it does: the first word of its name and of its description, with words that mean the same. */
  readonly verbs: ReadonlySet<string>;
  /** True if it only looks something up, which a question asks for without a verb. */
  readonly isReading: boolean;
  readonly slots: readonly Slot[];
  readonly labels: Phrases;
  readonly choices: Phrases;
}

/** Verbs that mean the same to any tool. */
const SAME = sameVerbs.map((group) => group.split(' ').map(stem));
const READING = new Set(Array.from(wordsTagged('looks-up'), stem));
/** What the name of an id may be said without: `order A17` for `orderId`. */
const GENERIC = setOf('id number code name no nr ref');
/** No word of a description makes these say nothing. */
const NEVER = setOf('not no never without except only if unless until all every each or but again');

const cache = new WeakMap<ToolDescription, ToolTerms>();

/** What a tool is recognized by, which is kept as long as the tool is in use. */
export function termsOf(tool: ToolDescription): ToolTerms {
  const terms = cache.get(tool) ?? readTerms(tool);
  cache.set(tool, terms);
  return terms;
}

function readTerms(tool: ToolDescription): ToolTerms {
  const nameWords = wordsOf(tool.name);
  const description = wordsOf(tool.description);
  const slots = Object.entries(tool.parameters).map(([name, parameter]) => slotOf(name, parameter));
  const first = [nameWords[0] ?? '', description[0] ?? ''].map(stem);
  return {
    tool,
    name: nameWords.join(' '),
    nameStems: new Set(nameWords.map(stem)),
    stems: stemsOf([...nameWords, ...description]),
    verbs: new Set(first.flatMap((verb) => [verb, ...SAME.filter((group) => group.includes(verb)).flat()])),
    isReading: first.some((verb) => READING.has(verb)),
    slots,
    labels: toPhrases(
      slots.flatMap((slot) => slot.labels.map((words) => ({ slot, words, value: '' }))),
      stem,
    ),
    choices: toPhrases(slots.flatMap(choicesOf), (word) => word),
  };
}

function slotOf(name: string, parameter: ToolParameter): Slot {
  const words = wordsOf(name);
  const short = words.slice(0, -1);
  const isId = short.length > 0 && GENERIC.has(words.at(-1) ?? '');
  const written = name.toLowerCase();
  const labels = [words, [written], ...(isId ? [short] : [])];
  return {
    name,
    parameter,
    labels: unique(labels),
    nameStems: new Set(words.map(stem)),
    stems: stemsOf([...words, ...wordsOf(parameter.description)]),
    about: `${words.join(' ')} ${parameter.description.toLowerCase()}`,
    choices: parameter.enum ?? [],
  };
}

/** An allowed text as it is written, and in words: `nextDay` and `next day`. */
function choicesOf(slot: Slot): readonly Phrase[] {
  return slot.choices.flatMap((value) => {
    const spellings = [wordsOf(value), value.toLowerCase().split(' ')].filter((words) => words.length > 0);
    return unique(spellings).map((words) => ({ slot, value, words }));
  });
}

function unique(phrases: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(phrases.map((words) => [words.join(' '), words])).values()];
}

function toPhrases(phrases: readonly Phrase[], keyOf: (word: string) => string): Phrases {
  const byKey = new Map<string, Phrase[]>();
  for (const phrase of phrases) {
    const key = keyOf(phrase.words[0] ?? '');
    byKey.set(key, [...(byKey.get(key) ?? []), phrase]);
  }
  return byKey;
}

function stemsOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.filter((word) => !NEVER.has(word)).map(stem));
}
