import type { ToolDescription } from '../../src/types';
import * as english from '../../src';
import { KNOWN_TOOLS, type RecalledText } from '../../src';

const repeat = (part: string, length: number): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

const LONG = 10_000;
/** Texts that take the rules much work for their length, by name. */
export const HOSTILE: ReadonlyMap<string, string> = new Map([
  [
    'ordinary words',
    'please send the urgent parcel to my old neighbour with a rucksack and newspapers, then check the damaged invoice and tell the plumber that the kitchen window is dirty on monday evening',
  ],
  ['random signs', repeat('"a" !=}.€', 2_500)],
  ...[
    '$.',
    'else if the number is bigger than 3 then add 4 ',
    'I live in Leeds. ',
    'I swapped my bike for a car. ',
    'Ann has 3 apples and Bob has 4 pears. How many apples do they have? ',
    '[[1],',
    '-',
  ].map((part): [string, string] => [`long: ${part}`, repeat(part, LONG)]),
  ...[
    '$.',
    '$.a[',
    'what is it? ',
    'my dog my cat ',
    'multiply my rent by 12 and ',
    'add 3 and 4 and ',
    'weather in paris and ',
    'send an email to convert ticket ',
    'subject to body with ',
    'header X-A: b and ',
    'https://a.io ',
    'Ann Smith met Bob Jones ',
    'on 3 May 2026 at 5 pm ',
    'half of ',
    '{"a":1} ',
    '{',
    '["',
    '"',
    "a' ",
    'a.',
    'a@',
    '1',
    '1 ',
    '1+',
    '(',
    '/a',
    'a',
    'x: ',
  ].map((part): [string, string] => [part, repeat(part, 1_000)]),
]);

const SYLLABLES = 'ba ke lo mi nu ra so ti vu za pe do'.split(' ');
const name = (...numbers: number[]): string => numbers.map((one) => SYLLABLES[one % 12] ?? '').join('');

/** As many tools with as many parameters and choices as callers may register, and more than the rules of the service are given. */
export const CHOOSING: readonly ToolDescription[] = Array.from({ length: 50 }, (_, tool) => ({
  name: `send_order_${tool}`,
  description: `Sends order number ${tool} to a person with many options`,
  parameters: Object.fromEntries(
    Array.from({ length: 64 }, (_, at) => [
      `option_${at}`,
      {
        type: 'string',
        description: `the option ${at} of the order`,
        required: at < 2,
        enum: Array.from(
          { length: 20 },
          (_, choice) => `${name(choice * 7 + at, choice + tool, at)}${choice}`,
        ),
      },
    ]),
  ),
}));
const KINDS = ['string', 'number', 'boolean', 'array'] as const;
const WRITING: readonly ToolDescription[] = Array.from({ length: 30 }, (_, tool) => ({
  name: `write_note_${tool}`,
  description: `Writes a note number ${tool} for a person`,
  parameters: Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `${['note', 'count', 'urgent', 'items', 'place'][at % 5]}_${at}`,
      { type: KINDS[at % 4] ?? 'string', description: `part ${at}, such as AB-12${at}`, required: at < 2 },
    ]),
  ),
}));

const NOW = new Date('2026-11-26T12:00:00Z');
const told = (text: string, count: number): readonly RecalledText[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `m${at}`,
    kind: at % 3 === 2 ? ('semantic' as const) : ('episodic' as const),
    text,
    timestamp: new Date(Date.UTC(2026, 10, 1 + at)).toISOString(),
    role: at % 4 === 3 ? ('assistant' as const) : ('user' as const),
    relevance: 0.8,
  }));
const home = { id: 'f1', subject: 'user', attribute: 'home', single: true, certain: true, validFrom: 1 };
const FACTS = [{ ...home, value: 'Leeds', sources: [{ memoryId: 'm0', at: 1 }] }] as unknown as Parameters<
  typeof english.readFacts
>[1];
const RENT = 'I live in Leeds and my rent is 500 euros.';
const classifier = english.createIntentClassifier();

const choose = (content: string, tools: readonly ToolDescription[], choice: 'auto' | 'required' = 'auto') =>
  english.chooseNext({ messages: [{ role: 'user', content }], tools, choice });

type Face = (text: string) => unknown;

/** The same sentences, read for tools that take the rules much work whatever the sentence. */
export const FACES_WITH_TOOLS: ReadonlyMap<string, Face> = new Map<string, Face>([
  ['tools with choices', (text) => choose(text, [...KNOWN_TOOLS, ...CHOOSING])],
  ['tools with texts', (text) => choose(text, [...KNOWN_TOOLS, ...WRITING])],
  ['one tool', (text) => choose(text, CHOOSING.slice(0, 1), 'required')],
]);

/** What the face of the package reads of a text that somebody may have written, by name. */
export const FACES: ReadonlyMap<string, Face> = new Map<string, Face>([
  ['built-in tools', (text) => choose(text, KNOWN_TOOLS)],
  ['plan', (text) => english.understand(text, KNOWN_TOOLS)],
  ['prompt', (text) => english.answerPrompt([{ role: 'user', content: text }])],
  ['JSON values', (text) => english.findJsonValues(text)],
  ['question to memories', (text) => english.answerFromMemories(text, told(RENT, 3), NOW)],
  ['memories', (text) => english.answerFromMemories('Where do I live?', told(text, 3), NOW)],
  ['question to facts', (text) => english.answerFromFacts(text, FACTS)],
  ['facts', (text) => english.readFacts(text, FACTS)],
  ['claim', (text) => english.readClaim(text, { subject: 'user', ends: false, start: 0, end: 2 })],
  ['talk', (text) => english.replyToTalk(text, 'failed')],
  ['whether it is about the user', (text) => english.asksAboutUser(text)],
  ['intent', (text) => classifier.classify(text, { surroundings: text, tools: WRITING })],
]);
