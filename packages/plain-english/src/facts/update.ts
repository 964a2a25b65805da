import { conceptOf } from '../recall/words';
import { attributeOf } from './attribute';
import { linkOf } from './link';
import type { Mention } from './mentions';
import { USER } from './people';
import { asDetail, groupOf, isDetail, type Part, type Reading } from './reading';
import type { Standing } from './standing';
import { attributesOf, isA } from './topics';
import { ACQUIRED, BACK, CHANGED, CORRECTED, ENDED, NEGATED, NOW, REPORTS } from './words';

/** Facts that one clause says. */
const MAX_SAID = 4;

/** A clause that changes a known fact on the same topic, or says new ones. */
export function update(part: Part, reading: Reading): void {
  const { clause, subject, free } = part;
  const { text } = clause;
  if (NEGATED.test(text)) return;
  const isNew = NOW.test(text) || reading.corrects;
  const standing = reading.standing.filter((fact) => !isDetail(fact));
  // `Scratch what I said about the height` only says that something was wrong.
  const isOpener = CORRECTED.test(text) && !/ (?:meant|it is|is|should) /.test(text);
  const open = isOpener ? free.filter(({ kind }) => kind !== 'thing') : free;
  const target = linkOf({
    ...part,
    free: open,
    marked: isNew || CHANGED.test(text) || BACK.test(text),
    standing,
    reading,
  });
  if (target) {
    reading.replace(clause, target.fact, target.mention.text, part.about);
    return;
  }
  const isOver = isNew || ENDED.test(text);
  const overtaken = isOver
    ? standing.find((fact) => fact.subject === subject && !fact.said && sharesTopic(fact, part))
    : undefined;
  if (overtaken) reading.end(clause, overtaken);
  const isHearsay = REPORTS.test(text) && subject === USER && !/ (?:i|we) /.test(text);
  const isEnd = ENDED.test(text) && !NOW.test(text) && !ACQUIRED.test(text);
  if (!isHearsay && !isEnd && clause.lowers[0] !== 'there') sayNew(part, reading);
}

/** True where a clause is on the topic of a fact, beyond its value. */
function sharesTopic({ attribute }: Standing, { clause: { lowers, text }, topics }: Part): boolean {
  if (/ (?:that|the) old /.test(text)) return false;
  const isNamed = attribute.split(' ').some((word) => topics.has(conceptOf(word)));
  return isNamed || (attributesOf(lowers).has(attribute) && !/^(?:home|employer|job|name)$/.test(attribute));
}

function sayNew(part: Part, reading: Reading): void {
  const { clause, subject, free, about } = part;
  const { lowers, verb, words } = clause;
  const inverted = invertedAt(part, free);
  const isSaid = (one: Mention): boolean => (verb === words.length ? one.kind !== 'thing' : one.from >= verb);
  const said = free
    .filter((one) => !one.isWhen && (inverted ? one === inverted : isSaid(one)))
    .slice(0, MAX_SAID);
  const isNamed = said.some(({ kind }) => groupOf(kind) === 'name');
  const isTyped = said.some(({ kind }) => kind !== 'thing');
  const isMain = (one: Mention): boolean => !isNamed || one.kind !== 'thing' || one.before === lowers[verb];
  const isListed = ({ before, from }: Mention): boolean =>
    /^(?:and|or|&)$/.test(before) || /^(?:and|or)$/.test(lowers[from - 2] ?? '');
  const leading = said.find(isMain);
  for (const mention of said) {
    const group = groupOf(mention.kind);
    // In `I pay 45 for the gym` the gym is the subject.
    if (isTyped && group === 'thing' && attributesOf([mention.text.toLowerCase()]).size > 0) continue;
    const alike = said.filter((one) => groupOf(one.kind) === group && isMain(one) === isMain(mention));
    const first = alike[0] ?? mention;
    const found = attributeOf(clause, first, subject === USER, inverted !== undefined);
    if (isState(mention, found.attribute)) continue;
    const name = found.attribute;
    const isOther = (one: Standing): boolean =>
      one.attribute === name && one.subject === subject && one.single && groupOf(one.kind) !== group;
    const differs = (leading && groupOf(leading.kind) !== group) || reading.standing.some(isOther);
    const isFirst = isMain(mention) && (mention === first || isListed(mention));
    const kind = differs ? ` ${group === 'number' || group === 'time' ? group : 'place'}` : '';
    const attribute = isFirst ? `${name}${kind}` : asDetail(name);
    const single = isFirst && found.single && !alike.some((one) => one !== first && isListed(one));
    reading.add(clause, { subject, attribute, single, value: mention.text }, about);
  }
}

/** Attributes that have names and things for values, and no qualities. */
const OF_THINGS = new Set(
  'drink vehicle two-wheeler phone pet home gym boss dentist doctor teacher landlord partner broadband bank'.split(
    ' ',
  ),
);

/** `My tea is cold` says which drink somebody has as little as `my car is really old` says which car. */
function isState({ kind, before, text }: Mention, attribute: string): boolean {
  const isOneWord = /^[a-z-]+$/.test(text);
  const isSaidOf =
    /^(?:is|are|was|were|'s|so|too|very|really|quite|pretty|totally|feels|looks|smells|tastes)$/.test(before);
  return kind === 'thing' && isOneWord && isSaidOf && OF_THINGS.has(attribute) && !isA(text, attribute);
}

/** The value of `Elixir is my favourite language`, of `Mr Adeyemi is in charge of me`, and of `Dutch it is`. */
export function invertedAt(
  { clause: { lowers, verb, text }, subject }: Part,
  mentions: readonly Mention[],
): Mention | undefined {
  const rest = ` ${lowers.slice(verb).join(' ')} `;
  const isNamed = mentions.some(({ from, kind }) => from >= verb && groupOf(kind) === 'name');
  if (text.endsWith(' it is ')) return mentions.findLast(({ from }) => from < verb);
  const isMine =
    / (?:is|are|'s) (?:now |still |always )?(?:my|our|what (?:i|we)|the one) /.test(rest) ||
    (/ (?:me|us) /.test(rest) && !isNamed);
  const isTheirs = subject !== USER && rest.includes(` ${subject.split(' ').at(-1) ?? ''} `);
  return mentions.find(({ from, kind }) => from < verb && (isMine || (isTheirs && kind !== 'thing')));
}
