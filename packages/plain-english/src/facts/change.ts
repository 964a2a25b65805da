import { conceptOf } from '../recall/words';
import { rankCandidates } from './link';
import { USER } from './people';
import { isDetail, type Part, type Reading } from './reading';
import type { Clause } from './segments';
import { BACK, CHANGED, ENDED, NEGATED, NOW, SUCCEEDED } from './words';

const RETURNS = / (?:back|returned|again|once more) /;
/** What ends that somebody is there at all. */
const GONE =
  / (?:died|dies|passed away|dead|left|retired|quit|resigned|rehomed|ran away|split|broke up|divorced) /;
const REFUSED = / (?:not|rather than|instead of|over) (?:the |an? |my )?$/;
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
  const ends = isRefused || ENDED.test(text) || NEGATED.test(text) || text.startsWith(' not ');
  if (!ends && !reading.corrects && ![NOW, CHANGED, BACK].some((words) => words.test(text))) return false;
  if (isHeld(clause, from, to)) {
    if (!RETURNS.test(text)) return true;
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
  const mayFollow = !isOwnName && isAfter && !(isOther && !free.some(({ kind }) => kind === 'name'));
  const [next] = mayFollow ? rankCandidates(free, fact, clause, reading.corrects) : [];
  if (next) reading.replace(clause, fact, next.text, about);
  else if (ends || isOther) reading.end(clause, fact);
  return next !== undefined || ends || isOther;
}

function leadOf({ lowers }: Clause, from: number): string {
  return ` ${lowers.slice(Math.max(0, from - 4), from).join(' ')} `;
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
