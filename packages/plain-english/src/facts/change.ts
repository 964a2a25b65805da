import { verbOf } from '../recall/verbs';
import { conceptOf } from '../recall/words';
import { rankCandidates } from './link';
import { USER } from './people';
import { isDetail, type Part, type Reading } from './reading';
import type { Clause } from './segments';
import type { Standing } from './standing';
import { BACK, CHANGED, ENDED, NEGATED, NOW, SUCCEEDED, TAKEN } from './words';

const RETURNS = / (?:back|returned|again|once more) /;
/** What ends that somebody is there at all. */
const GONE =
  / (?:died|dies|passed away|dead|left|retired|quit|resigned|rehomed|ran away|split|broke up|divorced) /;
const REFUSED = / (?:not|rather than|instead of|over) (?:the |an? |my )?$/;
const OVERTAKES =
  / (?:replace[sd]?|overtaken|overtook|took over|taken over|beats|beat|ousted|superseded|succeeded|knocked) /;
const UNHELD =
  / (?:instead of|rather than|from|not|never|ditched|dropped|quit|left|sold|old|than|no) (?:\S+ ){0,3}$/;

/** A clause that mentions known values: they end, give way, come back, or are only mentioned. False for the last. */
export function change(part: Part, reading: Reading): boolean {
  let acted = false;
  for (const hit of part.hits) {
    const isChanged = reading.standing.includes(hit.fact) && changeOne(part, hit, reading);
    if (!isChanged && !isDetail(hit.fact)) reading.touched = hit.fact;
    acted ||= isChanged;
  }
  return acted;
}

function changeOne(
  { clause, subject, free, about }: Part,
  { fact, from, to }: Part['hits'][number],
  reading: Reading,
): boolean {
  const { text, verb, words, lowers } = clause;
  const said = lowers[verb] ?? '';
  const lead = leadOf(clause, from);
  const isRefused = REFUSED.test(lead);
  const ends =
    isRefused ||
    ENDED.test(text) ||
    NEGATED.test(text) ||
    text.startsWith(' not ') ||
    isGivenAway(clause, subject, fact, from);
  if (!ends && !reading.corrects && ![NOW, CHANGED, BACK].some((words) => words.test(text))) return false;
  if (isHeld(clause, from, to)) {
    if (!RETURNS.test(text)) return true;
    endRival(reading, clause, fact);
    const { value, single, attribute } = fact;
    const again = { subject: fact.subject, attribute: attribute.replace(/ detail$/, ''), single, value };
    if (isDetail(fact)) reading.add(clause, again, [...fact.about]);
    return true;
  }
  const isOwnName =
    subject !== USER &&
    subject !== fact.subject &&
    [...fact.marks].every((mark) => subject.split(' ').some((word) => conceptOf(word) === mark));
  if (isOwnName && !GONE.test(text)) return false;
  // `No sorry, Briggs is the solicitor`: what somebody else is.
  const isOther =
    reading.corrects &&
    from < verb &&
    /^(?:is|'s|was)$/.test(said) &&
    !NOW.test(text) &&
    fact.kind === 'name';
  const isAfter =
    isRefused || from >= verb || verb === words.length || SUCCEEDED.test(text) || reading.corrects;
  // The stomach of `my stomach can not handle vindaloo` takes the place of nothing.
  const after =
    from < verb || verb === words.length || OVERTAKES.test(text)
      ? free
      : free.filter((one) => one.from >= verb);
  const mayFollow = !isOwnName && isAfter && !(isOther && !free.some(({ kind }) => kind === 'name'));
  const [next] = mayFollow ? rankCandidates(after, fact, clause, reading.corrects) : [];
  if (next) reading.replace(clause, fact, next.text, about);
  else if (ends || isOther) reading.end(clause, fact);
  return next !== undefined || ends || isOther;
}

function leadOf({ lowers }: Clause, from: number): string {
  return ` ${lowers.slice(Math.max(0, from - 4), from).join(' ')} `;
}

/** `She has got my Saturday`, and a past tense that nothing else knows: `I flogged the Vespa`. */
function isGivenAway({ lowers, verb, text }: Clause, subject: string, fact: Standing, from: number): boolean {
  const said = lowers[verb] ?? '';
  if (from <= verb || !/^(?:the|my|our)$/.test(lowers[from - 1] ?? '')) return false;
  return subject === USER
    ? said.endsWith('ed') && verbOf(said) === undefined
    : fact.subject === USER && TAKEN.test(text);
}

/** True where a value stays, or is the one that things go back to. */
function isHeld(clause: Clause, from: number, to: number): boolean {
  const lead = leadOf(clause, from);
  if (UNHELD.test(lead)) return false;
  const tail = ` ${clause.lowers.slice(to, to + 3).join(' ')} `;
  return (
    BACK.test(lead) ||
    / (?:stays?|still|again|once more|remains?|as before) /.test(tail) ||
    / still /.test(clause.text)
  );
}

/** `I am back at Meadowbank`: what was said after it, and is like it, is over. */
function endRival(reading: Reading, clause: Clause, held: Standing): void {
  const later = reading.standing.slice(0, reading.standing.indexOf(held));
  const rival = later.find(
    (one) => one.subject === held.subject && one.kind === held.kind && one.kind !== 'thing' && !isDetail(one),
  );
  if (rival) reading.end(clause, rival);
}
