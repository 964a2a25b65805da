import { isKindOf, singular } from '../recall/kinds';
import { conceptOf } from '../recall/words';
import type { Mention } from './mentions';
import type { Clause } from './segments';
import { attributesOf, isPersonNoun, isSingle, topicOf } from './topics';
import { SERVICES } from './words';

export interface Attribute {
  readonly attribute: string;
  readonly single: boolean;
  /** True where only a verb that may mean anything says what it is: `have`, `be`, `get`. */
  readonly general: boolean;
}

/** Kinds of values that say by themselves what they are of somebody. */
const KINDS = ['diet', 'instrument', 'language'];
const BEING = /^(?:am|is|are|'s|was|be|been|gone|go|went|became|turned|have|had|has|'ve)$/;

const MOVED_TO = / (?:i|we)(?: \S+){0,2} (?:moved|relocated) (?:back |house |home )?to $/;

/** What a mention of a clause is of its subject: by its kind, the nouns before the verb, the verb, and the nouns next to it. */
export function attributeOf(
  { lowers, verb }: Clause,
  mention: Mention,
  isUser: boolean,
  isInverted = false,
): Attribute {
  const of = (attribute: string, general = false): Attribute => ({
    attribute,
    single: !general && isSingle(attribute),
    general,
  });
  if (mention.kind === 'phone') return of('phone number');
  if (mention.kind === 'email') return of('email');
  const beside = lowers[mention.from - 1] ?? '';
  if (
    (mention.kind === 'number' || mention.kind === 'code') &&
    mention.from > verb + 1 &&
    topicOf(beside) !== undefined &&
    !/ed$/.test(beside)
  )
    return of(singular(beside));
  const last = mention.text.toLowerCase().split(' ').at(-1) ?? '';
  const said = lowers[verb] ?? '';
  if (mention.kind === 'name' && isUser) {
    const lead = ` ${lowers.slice(0, mention.from).join(' ')} `;
    if (/ my (?:full |real |first )?name (?:is|'s) $/.test(lead)) return of('name');
    // One says the same of a bank, which is then what it replaces.
    if (MOVED_TO.test(lead)) return { ...of('home'), general: !isKindOf(last, 'place') };
  }
  const kind = mention.kind === 'thing' ? KINDS.find((one) => isKindOf(last, one)) : undefined;
  if (kind !== undefined && BEING.test(said)) return of(kind);
  const own = mention.kind === 'name' ? [...attributesOf([last])] : [];
  if (own.length === 1 && own[0] !== 'home' && mention.text.includes(' ')) return of(own[0] ?? '');
  const before = lowers.slice(0, verb);
  const owner = before.lastIndexOf("'s");
  const isOwn = (at: number): boolean => at >= mention.from && at < mention.to;
  const from = isInverted ? verb + 1 : owner + 1;
  const head = lowers
    .slice(from, isInverted ? undefined : verb)
    .filter((_, at) => !isOwn(at + from))
    .filter((word) => topicOf(word) !== undefined);
  const isMine =
    isInverted || owner > 0 || (isUser && /^(?:my|our|the|his|her|their)$/.test(before[0] ?? ''));
  const isServed = head.length > 0 && head.every((word) => SERVICES.has(word)) && !BEING.test(said);
  const isThing =
    !isServed && head.length > 0 && !before.some((lower) => /^(?:i|we|he|she|they|it)$/.test(lower));
  if (isThing && (isMine || isUser) && (isUser || !head.every(isPersonNoun))) {
    const named = [...attributesOf(head.slice(-1))];
    return of(named.length === 1 ? (named[0] ?? '') : head.map(singular).slice(-3).join(' '));
  }
  const [byVerb] = attributesOf([said]);
  const isNoun = (word: string | undefined): word is string =>
    word !== undefined && topicOf(word) !== undefined;
  const [byNoun] = attributesOf(
    lowers.slice(Math.max(verb + 1, mention.from - 4), mention.from).filter(isNoun),
  );
  if (byNoun !== undefined) return of(byNoun);
  if (byVerb !== undefined) return of(byVerb);
  const tail = ` ${lowers.slice(mention.to, mention.to + 5).join(' ')} `;
  const [byUse] = attributesOf(
    (/ (?:for|as) (?:my |our |the )?(\S+)(?: (\S+))? /.exec(tail) ?? []).slice(1).filter(isNoun),
  );
  if (byUse !== undefined) return of(byUse);
  if (!isUser && BEING.test(said) && mention.kind === 'thing' && isKindOf(last, 'person')) return of('job');
  const isI = /^(?:i|we)$/.test(before.at(-1) ?? '') && BEING.test(said);
  if (isI && mention.kind === 'thing' && isKindOf(last, 'person')) return of('job');
  if (isI && mention.kind === 'name' && /^(?:am|are|be|been)$/.test(mention.before)) return of('name');
  if (isI && mention.kind === 'name' && mention.before === 'in') return of('home');
  if (isI && mention.kind === 'number' && mention.before === 'on' && /\d{2},?\d{3}/.test(mention.text))
    return of('salary');
  return of(BEING.test(said) || said === '' ? 'be' : conceptOf(said), true);
}
