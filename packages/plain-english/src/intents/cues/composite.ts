import type { Cue } from './cue';

/**
 * Cues made of other cues, by their ids. Where single cues are rare, what they have in common is not: whichever
 * way work is asked for and whichever way the past is named, together they make a hybrid.
 */
const WORK = ['symbols', 'calc-verb', 'into-unit', 'days-until', 'data-verb', 'url', 'file', 'json', 'json-start', 'net-verb', 'weather-strong', 'time-there', 'percent', 'calc-words']; // prettier-ignore
const KEPT = ['i-told-you', 'told-you', 'you-told', 'we-talked', 'our-chat', 'you-know', 'known-from-you', 'from-before', 'that-one', 'i-verb-there', 'ask-recall']; // prettier-ignore
const OWN = ['my-own', 'my-kin', 'kin-possessive'];
const HELD = [...KEPT, ...OWN, 'usual-own', 'at-mine'];
const STATED = ['own-is', 'name-of-own', 'preference', 'self-fact', 'standing-order'];
const ASKS = ['question-mark', 'wh-start', 'look-up', 'ask-recall'];
const GIVEN = [
  'two-numbers',
  'many-numbers',
  'list-given',
  'colon-data',
  'quoted',
  'json',
  'json-start',
  'mail',
];
const LEARN = ['explain-verb', 'explain', 'why', 'how-does', 'what-is', 'our-docs', 'docs', 'in-general', 'capital-fact', 'generic', 'body']; // prettier-ignore
const CHAT = ['greeting', 'thanks', 'exclamation', 'feeling', 'opinion', 'about-you', 'creative', 'shout', 'statement', 'today-diary', 'roleplay']; // prettier-ignore
const KEEP = ['please-keep', 'remember-this'];

type Seen = ReadonlySet<string>;

export interface CompositeCue extends Omit<Cue, 'test'> {
  readonly test: (seen: Seen) => boolean;
}

const any = (seen: Seen, ids: readonly string[]): boolean => ids.some((id) => seen.has(id));
const count = (seen: Seen, ids: readonly string[]): number => ids.filter((id) => seen.has(id)).length;

export const COMPOSITE_CUES: readonly CompositeCue[] = [
  { id: 'work', says: 'asks for work that a tool does', test: (seen) => any(seen, WORK) },
  { id: 'much-work', says: 'asks for work that a tool does', test: (seen) => count(seen, WORK) > 1 },
  { id: 'kept', says: 'relies on what was said before', test: (seen) => any(seen, KEPT) },
  {
    id: 'work-on-kept',
    says: 'asks for work on something you told me',
    test: (seen) => any(seen, WORK) && any(seen, KEPT),
  },
  {
    id: 'kept-alone',
    says: 'asks for what was said before and for no work on it',
    test: (seen) => !any(seen, WORK) && any(seen, KEPT),
  },
  {
    id: 'work-on-own',
    says: 'asks for work on details of yours',
    test: (seen) => any(seen, WORK) && any(seen, OWN) && !any(seen, GIVEN),
  },
  { id: 'own-alone', says: 'asks for a detail of yours', test: (seen) => !any(seen, WORK) && any(seen, OWN) },
  {
    id: 'work-given',
    says: 'asks for work and gives all it takes',
    test: (seen) => any(seen, WORK) && any(seen, GIVEN) && !any(seen, KEPT),
  },
  {
    id: 'work-impersonal',
    says: 'asks for work and says nothing personal',
    test: (seen) => any(seen, WORK) && !any(seen, KEPT) && !seen.has('my'),
  },
  { id: 'learn', says: 'asks for an explanation or a fact', test: (seen) => any(seen, LEARN) },
  {
    id: 'learn-impersonal',
    says: 'asks about the world and not about you',
    test: (seen) => any(seen, LEARN) && !seen.has('my') && !any(seen, KEPT) && !any(seen, GIVEN),
  },
  { id: 'chat', says: 'tells or exclaims something', test: (seen) => any(seen, CHAT) },
  {
    id: 'chat-alone',
    says: 'tells or exclaims something and asks for nothing',
    test: (seen) => any(seen, CHAT) && !any(seen, WORK) && !any(seen, LEARN) && !any(seen, KEPT),
  },
  { id: 'keep', says: 'asks me to keep something in mind', test: (seen) => any(seen, KEEP) },
  {
    id: 'keep-statement',
    says: 'tells a fact to be kept',
    test: (seen) => any(seen, KEEP) && !seen.has('question-mark') && !seen.has('wh-start'),
  },
  {
    id: 'told-work',
    says: 'asks for work on something you told me',
    test: (seen) =>
      any(seen, WORK) &&
      (any(seen, KEPT) || any(seen, OWN)) &&
      !seen.has('many-numbers') &&
      !seen.has('quoted'),
  },
  {
    id: 'work-on-held',
    says: 'asks for work on what is known of you',
    test: (seen) => any(seen, WORK) && any(seen, HELD) && !seen.has('many-numbers'),
  },
  {
    id: 'amount-of-own',
    says: 'asks for an amount that depends on what is yours',
    test: (seen) =>
      (seen.has('how-much-many') || seen.has('unit-word') || seen.has('weather-word')) && any(seen, HELD),
  },
  {
    id: 'held-alone',
    says: 'asks about what is known of you',
    test: (seen) => !any(seen, WORK) && any(seen, HELD) && any(seen, ASKS),
  },
  {
    id: 'stated',
    says: 'states a lasting fact about you',
    test: (seen) => any(seen, STATED) && !any(seen, ASKS) && !any(seen, WORK) && !seen.has('today-diary'),
  },
  {
    id: 'stated-lightly',
    says: 'says something of you in passing',
    test: (seen) => any(seen, STATED) && (seen.has('banter') || seen.has('today-diary') || seen.has('shout')),
  },
  {
    id: 'dated-note',
    says: 'gives a day or a time to be kept',
    test: (seen) =>
      (seen.has('month') || seen.has('clock')) && !any(seen, ASKS) && !any(seen, WORK) && !seen.has('chat'),
  },
  {
    id: 'weather-now',
    says: 'asks for the weather now',
    test: (seen) => seen.has('weather-word') && seen.has('right-now') && !seen.has('in-general'),
  },
  {
    id: 'weather-general',
    says: 'asks about the weather in general',
    test: (seen) => seen.has('weather-word') && (seen.has('in-general') || seen.has('month')),
  },
  {
    id: 'weather-here',
    says: 'asks for the weather where somebody close to you is',
    test: (seen) => seen.has('weather-word') && (any(seen, OWN) || any(seen, KEPT)),
  },
  {
    id: 'nothing-seen',
    says: 'has none of the marks of a request',
    test: (seen) =>
      !any(seen, WORK) && !any(seen, LEARN) && !any(seen, KEPT) && !any(seen, CHAT) && !any(seen, OWN),
  },
];
