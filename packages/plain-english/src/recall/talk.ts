import { readAsked } from './asking';
import { textOf, readPassages, type Passage } from './passages';
import type { Clause } from './clause';
import { joinAll, tellClause } from './phrase';
import type { FallbackReason } from './fallback-reason';
import { partsOf, smallTalk } from './small-talk';

/** Most facts repeated in one acknowledgement. */
const MAX_NOTED = 6;

/**
 * The reply to small talk, and to facts that a message states: `Noted: your name is Dana, and you prefer tea.` Undefined where more
 * is wanted, so also for any other question.
 */
export function replyToTalk(query: string, why: FallbackReason): string | undefined {
  const read = query.slice(0, 4_000).trim();
  const parts = partsOf(read);
  const replies = parts.map((part) => smallTalk(part, why));
  if (replies.length > 0 && replies.every((reply) => reply !== undefined)) return replies.at(-1);
  if (/\?\s*$/.test(read) || parts.some((part) => isAsked(part))) return undefined;
  const { passages } = readPassages([{ id: '', kind: 'episodic', text: read, role: 'user', relevance: 1 }]);
  const noted = passages.flatMap((passage) =>
    passage.asks ? [] : passage.clauses.map((clause) => tellNoted(passage, clause)),
  );
  const told = [...new Set(noted.filter((one) => one !== undefined))].slice(0, MAX_NOTED);
  if (told.length === 0) return undefined;
  return `Noted: ${joinAll(told, ',')}.`;
}

const CALLED =
  /^(?:(?:you|please|just|everybody|everyone|people|friends|they|my friends) )?(?:can |may |should |all )?(?:just )?calls? me (?=\S)/i;

/** What a clause states, said back; undefined for one that states nothing. */
function tellNoted(passage: Passage, clause: Clause): string | undefined {
  const said = textOf(passage, clause.words);
  const name = said.replace(CALLED, '');
  if (name !== said) return `you are called ${name}`;
  return clause.speaker === 'elided' ? undefined : tellClause(passage, clause);
}

function isAsked(part: string): boolean {
  return (
    /^(?:what|which|who|where|when|why|how|can|could|would|will|do|does|did|is|are)\b/.test(part) &&
    readAsked(part) !== undefined
  );
}
