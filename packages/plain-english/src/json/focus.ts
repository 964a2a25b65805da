import { phraseOf, type Asked } from './asked';
import { type Field } from './fields';
import type { Mention } from './mentions';
import { Unclear } from './unclear';
import { wordsTagged } from '../text/lexicon/words';

/** `the name and the age`: all that are named with nothing but `and` between. */
export function namedTogether(
  named: readonly Mention[],
  { words, tokens }: Asked,
): readonly Mention[] | undefined {
  if (named.length < 2) return undefined;
  const joined = named.every((mention, at) => {
    const next = named[at + 1];
    if (!next) return true;
    const start = words[mention.to - 1]?.token ?? 0;
    const between = tokens.slice(start + 1, words[next.from]?.token).map(({ lower }) => lower);
    return (
      between.some((word) => word === 'and' || word === ',') &&
      between.every((word) => /^(?:and|,|the|its|his|her|their)$/.test(word))
    );
  });
  return joined && new Set(named.map(({ fields }) => fields[0])).size > 1 ? named : undefined;
}

const QUALIFYING = wordsTagged('qualifying');

/** Of several names, the one that is asked for: the others are in phrases that say more about it. */
export function focusOf(named: readonly Mention[], asked: Asked): Mention {
  const { words } = asked;
  const [first, ...others] = named;
  if (!first) throw new Unclear('What to read from the document is not said.');
  if (asksWhether(asked)) {
    const booleans = named.filter(({ fields }) => fields.some(isBoolean));
    const [only] = booleans;
    if (!only || new Set(booleans.flatMap(({ fields }) => fields)).size > 1)
      throw new Unclear('The document does not say yes or no to what is asked.');
    return { ...only, fields: only.fields.filter(isBoolean) };
  }
  const same = others.filter(({ fields }) => fields.some((field) => !first.fields.includes(field)));
  if (same.length === 0) return first;
  const asking = named.filter(({ from }) => ['what', 'which', 'whose'].includes(words[from - 1]?.text ?? ''));
  if (asking.length === 1 && asking[0]) return asking[0];
  const plain = named.filter(
    ({ from }) => !words.slice(Math.max(0, from - 3), from).some(({ text }) => QUALIFYING.has(text)),
  );
  const [only] = plain;
  if (only && plain.length === 1) return only;
  throw new Unclear(
    `It is not clear which is asked for: ${named.map((mention) => phraseOf(asked, mention)).join(', ')}.`,
  );
}

const ASKS_WHETHER =
  /^(?:and |so |please )?(?:is|are|was|were|has|have|did|does|do|will|isn t)\b|\b(?:whether|if)\b/;

function asksWhether(asked: Asked): boolean {
  const { words, tokens } = asked;
  // The question may begin after a sentence, or after the document.
  return words.some(({ token }, at) => {
    const before = tokens[token - 1];
    const isStart = at === 0 || before === undefined || ['symbol', 'json', 'url'].includes(before.kind);
    return (
      isStart &&
      words[at - 1]?.token !== token &&
      ASKS_WHETHER.test(phraseOf(asked, { from: at, to: at + 3 }))
    );
  });
}

function isBoolean({ places }: Field): boolean {
  return (
    places.every(({ value }) => typeof value === 'boolean' || value === null) &&
    places.some(({ value }) => value !== null)
  );
}
