import { spend } from '../allowance';
import { toSentence } from '../text/shown';
import type { FactAnswer, KnownFact } from './facts';
import { isIn, toAttribute } from './lexicon';
import { questionsOf, readWanted, type Wanted } from './question';
import { isSame } from './read-facts';

/** Work of reading a question, and of looking at one fact. */
const QUESTION_COST = 400;
const FACT_COST = 0.5;
/** The maximum number of facts that one answer tells. */
const MAX_TOLD = 50;

/** Of several who are the same to the user, which one: `my youngest daughter` is a daughter. */
const RANKED = /^(?:youngest|eldest|oldest|younger|older) /;

interface Told {
  readonly text: string;
  readonly facts: readonly KnownFact[];
}

/**
 * Answers questions on attributes of the user with the values that hold, and says so if a value has ended and none has followed it.
 * @param facts of all times, in the order in which they began
 * @returns undefined if one of the questions asks for something else, or no fact has the attribute
 */
export function answerFromFacts(query: string, facts: readonly KnownFact[]): FactAnswer | undefined {
  const questions = questionsOf(query);
  spend(questions.length * (QUESTION_COST + FACT_COST * facts.length));
  const userFacts = facts.filter(
    ({ subject, certain, neverHeld }) => subject === 'user' && certain !== false && neverHeld !== true,
  );
  const all: Told[] = [];
  for (const question of questions) {
    const wanted = readWanted(question);
    const told = wanted && answer(wanted, userFacts);
    if (told === undefined) return undefined;
    all.push(told);
  }
  if (all.length === 0) return undefined;
  const used = all.flatMap((told) => told.facts);
  return {
    text: all.map(({ text }) => text).join(' '),
    factIds: [...new Set(used.map(({ id }) => id))],
    sourceIds: [...new Set(used.flatMap(({ sources = [] }) => sources.map(({ memoryId }) => memoryId)))],
  };
}

function answer(wanted: Wanted, userFacts: readonly KnownFact[]): Told | undefined {
  const holding = userFacts.filter(holds);
  if (wanted.kind === 'everything') return tellAll(holding);
  const named = (from: readonly KnownFact[]): KnownFact[] =>
    from.filter(
      ({ attribute }) =>
        wanted.attributes.includes(attribute) || wanted.attributes.includes(attribute.replace(RANKED, '')),
    );
  const [held, ended] = [named(holding), named(userFacts).filter((fact) => !holds(fact))];
  switch (wanted.kind) {
    case 'before':
      return tellEnded(ended, true);
    case 'listed': {
      const isListed = ({ value }: KnownFact): boolean => isIn(wanted.list, value.split(' ').at(-1) ?? '');
      const listed = held.filter((fact) => wanted.attributes.indexOf(fact.attribute) > 1 || isListed(fact));
      return listed.length === 0 ? undefined : tell(listed);
    }
    case 'owned': {
      const nounOf = ({ attribute, value }: KnownFact): string =>
        toAttribute(
          attribute === 'has' ? (value.split(' ').at(-1) ?? '') : attribute.replace(/^number of /, ''),
        ) ?? '';
      const things = userFacts.filter((fact) => wanted.attributes.includes(nounOf(fact)));
      const present = things.filter(holds);
      const named = present.map((fact) =>
        fact.attribute === 'has' ? fact : { ...fact, value: `${fact.value} (${fact.attribute})` },
      );
      if (present.length > 0) return { facts: present, text: `Yes. ${tell(named).text}` };
      return denied(tellEnded(things));
    }
    case 'check':
      return check(wanted.values, held, ended);
    default:
      return held.length > 0 ? tell(held) : tellEnded(ended);
  }
}

const holds = ({ validTo }: KnownFact): boolean => validTo === undefined;

/** Says yes if a value is so and no if it has ended; of an attribute that has another value it tells that value. */
function check(
  values: readonly string[],
  held: readonly KnownFact[],
  ended: readonly KnownFact[],
): Told | undefined {
  const same = (from: readonly KnownFact[]): KnownFact[] =>
    from.filter((fact) => values.some((value) => isSame(fact.value, value)));
  const [are, were] = [same(held), same(ended)];
  if (are.length > 0) return values.length > 1 ? tell(are) : { ...tell(are), text: `Yes. ${tell(are).text}` };
  const other = held.filter(({ single }) => single);
  if (other.length > 0) return tell(other);
  return denied(tellEnded(were));
}

function denied(told: Told | undefined): Told | undefined {
  return told && { ...told, text: `No. ${told.text}` };
}

const dayOf = (time: number): string =>
  Number.isFinite(time) && time > 0 && time < 8e15 ? new Date(time).toISOString().slice(0, 10) : '';
const on = (time: number): string => (dayOf(time) === '' ? '' : ` on ${dayOf(time)}`);
const inBrackets = (day: string, lead = ''): string => (day === '' ? '' : ` (${lead}${day})`);

function tell(facts: readonly KnownFact[]): Told {
  const told = facts.slice(-MAX_TOLD);
  const days = new Set(told.map(({ validFrom }) => dayOf(validFrom)));
  const isDoubted = told.some(({ doubtedAt }) => doubtedAt !== undefined);
  const note = isDoubted ? ' You said later that this may have changed.' : '';
  const validFrom = told[0]?.validFrom ?? 0;
  const values = told
    .map((fact) => (days.size > 1 ? `${fact.value}${inBrackets(dayOf(fact.validFrom))}` : fact.value))
    .join(', ');
  return {
    text: `You told me${days.size > 1 ? '' : on(validFrom)}: ${toSentence(values)}${note}`,
    facts: told,
  };
}

/** Says that the last value has ended, if nothing took its place; or no more than until when it was so. */
function tellEnded(ended: readonly KnownFact[], isAskedFor = false): Told | undefined {
  const last = ended.toSorted((one, other) => (one.validTo ?? 0) - (other.validTo ?? 0)).at(-1);
  if (last === undefined) return undefined;
  const until = dayOf(last.validTo ?? 0);
  const told = `You told me${on(last.validFrom)}: ${last.value}`;
  const since = until === '' ? 'This' : `Since ${until} this`;
  return {
    text: isAskedFor
      ? `${told}${inBrackets(until, 'until ')}.`
      : `${told}. ${since} is no longer so, and I know of nothing in its place.`,
    facts: [last],
  };
}

function tellAll(holding: readonly KnownFact[]): Told | undefined {
  const told = holding.slice(-MAX_TOLD);
  if (told.length === 0) return undefined;
  const byAttribute = new Map<string, string[]>();
  for (const { attribute, value } of told)
    byAttribute.set(attribute, [...(byAttribute.get(attribute) ?? []), value]);
  const text = [...byAttribute].map(([attribute, values]) => `${attribute}: ${values.join(', ')}`).join('; ');
  return { text: `You told me: ${toSentence(text)}`, facts: told };
}
