import { isQuestion, withFullForms } from './clauses';
import {
  attributesLike,
  INDIRECT,
  isIn,
  type ListName,
  QUESTIONS,
  STATEMENTS,
  toAttribute,
  WORDING,
} from './lexicon';
import { matchPatterns } from './read-facts';

/** What of the user's facts a question asks for. */
export type Wanted =
  | { readonly kind: 'everything' }
  /** The values of one of these attributes; `before`: those that have ended. */
  | { readonly kind: 'values' | 'before' | 'owned'; readonly attributes: readonly string[] }
  /** Those values that end in a word of a list. */
  | { readonly kind: 'listed'; readonly attributes: readonly string[]; readonly list: ListName }
  /** Whether an attribute has one of these values. */
  | { readonly kind: 'check'; readonly attributes: readonly string[]; readonly values: readonly string[] };

/** Where one question ends and the next begins. */
const SEVERAL = /(?<=\?)\s+(?=\p{L})|,?\s+and\s+(?=(?:what|where|who|when|which|how)\b)/iu;
/** The maximum number of questions of one message. */
const MAX_PARTS = 4;
const MAX_QUESTION = 300;

/** The questions of a message in full forms, without what is said around them. */
export function questionsOf(query: string): string[] {
  return query.slice(0, 2_000).trim().split(SEVERAL, MAX_PARTS).map(plainQuestion);
}

function plainQuestion(part: string): string {
  let text = withFullForms(part.slice(0, MAX_QUESTION).replace(/[\s?!.…]+$/g, ''));
  for (let last = ''; last !== text;) {
    last = text;
    text = text.replace(WORDING.asking, '').replace(WORDING.after, '');
  }
  text = text.replace(WORDING.stillSo, '$1 ');
  // `what don't I like`
  text = text.replace(/\b(do|am|are|can) not (I|we)\b/i, '$1 $2 not');
  for (const [pattern, form] of INDIRECT) {
    if (pattern.test(text)) return text.replace(pattern, form).trim();
  }
  return text;
}

/** What facts a question asks for; undefined if it is not in the form of a question on the user's facts. Pure. */
export function readWanted(question: string): Wanted | undefined {
  const matches = ({ expression }: { readonly expression: RegExp }): boolean => expression.test(question);
  if (QUESTIONS.everything.some(matches)) return { kind: 'everything' };
  const listed = QUESTIONS.listed.find(matches);
  if (listed !== undefined) return { kind: 'listed', attributes: listed.attributes, list: listed.list };
  for (const { name, expression } of QUESTIONS.before.filter(matches)) {
    const named = name === '@' ? toAttribute(expression.exec(question)?.[1] ?? '') : name;
    if (named !== undefined) return { kind: 'before', attributes: attributesLike(named) };
  }
  const known = QUESTIONS.known.find(matches);
  if (known !== undefined) return { kind: 'values', attributes: attributesLike(known.name) };
  const [, counted = ''] = /^how many (.+) do (?:I|we) have$/i.exec(question) ?? [];
  if (counted !== '')
    return {
      kind: 'values',
      attributes: [`number of ${counted.toLowerCase().replace(/\bkids\b/, 'children')}`],
    };
  for (const { expression, slots } of QUESTIONS.named) {
    const words = expression.exec(question)?.[1];
    const attribute = words === undefined ? undefined : toAttribute(words);
    if (attribute === undefined || !fits(question, attribute)) continue;
    if (slots[0]?.kind === 'secret' && !attribute.split(' ').some((word) => isIn('secrets', word))) continue;
    // `my library card is 30518`
    const bare = attribute.replace(/ (?:number|code)$/, '');
    return {
      kind: 'values',
      attributes: [...attributesLike(attribute), ...(bare === attribute ? [] : [bare])],
    };
  }
  return isQuestion(question) ? readCheck(question) : undefined;
}

/** Who is a person, and when is a date. */
function fits(question: string, attribute: string): boolean {
  const last = attribute.split(' ').at(-1) ?? '';
  if (/^when\b/i.test(question)) return isIn('dated', last);
  return !/^how much\b/i.test(question) || isIn('priced', last);
}

/** `Do I live in Lisbon?` asks for the fact of `I live in Lisbon`. */
function readCheck(question: string): Wanted | undefined {
  const [, owned] =
    /^(?:do|have) (?:I|we) (?:have|own|got) (?:an?|any|one or more) (.+)$/i.exec(question) ?? [];
  const noun = owned === undefined || / (?:called|named) /.test(owned) ? undefined : toAttribute(owned);
  if (noun !== undefined) return { kind: 'owned', attributes: attributesLike(noun) };
  const [, rest = '', other] = /^(?:which do I prefer,? |do I prefer )(.+?) or (.+)$/i.exec(question) ?? [];
  if (other !== undefined) return { kind: 'check', attributes: ['prefers', 'likes'], values: [rest, other] };
  for (const statement of statementsOf(question)) {
    const [fact, second] = matchPatterns(STATEMENTS, statement);
    if (fact === undefined || second !== undefined || fact.value === null) continue;
    return { kind: 'check', attributes: attributesLike(fact.attribute), values: [fact.value] };
  }
  return undefined;
}

/** A question as the statements of which it may ask whether they are so. */
function statementsOf(question: string): string[] {
  const [, verb = '', subject = '', rest = ''] =
    /^(do|am|are|have|is) (I|we|my|our) (.+)$/i.exec(question) ?? [];
  if (verb === '') return [];
  if (/^(?:I|we)$/i.test(subject))
    return [/^do$/i.test(verb) ? `${subject} ${rest}` : `${subject} ${verb} ${rest}`];
  const words = rest.split(' ');
  const cuts = [1, 2, 3].filter((at) => at < words.length);
  return cuts.map((at) => `${subject} ${words.slice(0, at).join(' ')} ${verb} ${words.slice(at).join(' ')}`);
}
