import { sentencesOf } from '../text/sentences';
import { readAsked } from './asking';
import { textOf, readPassages, type Passage } from './passages';
import type { Clause } from './clause';
import { joinClauses, tellClause } from './phrase';
import { FALLBACK_REASONS, type FallbackReason } from './fallback-reason';

const GREETING =
  /^(?:hi|hello|hey|hiya|howdy|greetings|yo|hallo|good (?:morning|afternoon|evening|day))(?: there| again| you| everyone| all| holdfast| assistant)?$/;
const THANKS =
  /^(?:(?:ok|okay|great|perfect|cool|awesome|nice|brilliant|lovely|wonderful) ?,? ?)?(?:(?:many )?thanks|thank you|thx|cheers|much appreciated|ta)(?: (?:a lot|so much|very much|again|a million|you))?(?: for .{1,60}?)?(?: ?,? (?:you|that|this)(?: have been| are| was| is|'ve been|'re|'s) .{1,60})?$/;
const BYE =
  /^(?:ok ?,? ?)?(?:bye|goodbye|good bye|bye bye|see you|see ya|cya|good night|goodnight|farewell|later|talk to you later|take care|until next time|have a (?:nice|good|great) (?:day|evening|one|weekend|night))(?: (?:later|soon|then|tomorrow|for now|now))?$/;
const HOW =
  /^(?:(?:hi|hello|hey)(?: there)? ?,? ?)?(?:how are you(?: doing| today)*|how is it going|how do you do|what is up|how are things)(?: today)?$/;
const WHO =
  /^(?:who|what) are you$|^what is your name$|^what can you do(?: for me)?$|^(?:can you )?help(?: me)?$/;
const FINE =
  /^(?:ok|okay|alright|all right|cool|great|nice|perfect|got it|i see|sure|fine|yes|yep|yeah|no|nope|good|awesome|sounds good|never ?mind|no worries|no problem)$/;

/** Most facts repeated in one acknowledgement. */
const MAX_NOTED = 6;

/**
 * The reply to small talk, and to facts that are told: `Noted: your name is Dana, and you prefer tea.` Undefined where more
 * is wanted, so also for any other question.
 */
export function replyToTalk(query: string, why: FallbackReason): string | undefined {
  const read = query.slice(0, 4_000).trim();
  const sentences = sentencesOf(read);
  const parts = sentences.map((sentence) =>
    plain(read.slice(sentence[0]?.start ?? 0, sentence.at(-1)?.end ?? 0)),
  );
  const replies = parts.map((part) => smallTalk(part, why));
  if (replies.length > 0 && replies.every((reply) => reply !== undefined)) return replies.at(-1);
  if (/\?\s*$/.test(read) || parts.some((part) => isAsked(part))) return undefined;
  const { passages } = readPassages([{ id: '', kind: 'episodic', text: read, role: 'user', relevance: 1 }]);
  const noted = passages.flatMap((passage) =>
    passage.asks ? [] : passage.clauses.map((clause) => tellNoted(passage, clause)),
  );
  const told = [...new Set(noted.filter((one) => one !== undefined))].slice(0, MAX_NOTED);
  if (told.length === 0) return undefined;
  return `Noted: ${joinClauses(told)}.`;
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

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\b(how|what|who|it)'s\b/g, '$1 is')
    .replace(/[!.?,…]+$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function smallTalk(part: string, why: FallbackReason): string | undefined {
  if (part === '') return undefined;
  if (HOW.test(part)) return 'I am well, thank you. What can I do for you?';
  if (GREETING.test(part)) return `${greeting(part)} What can I do for you?`;
  if (THANKS.test(part)) return 'You are welcome.';
  if (/^(?:nice|good|pleased|great) to meet you(?: too)?$/.test(part)) return 'Nice to meet you, too.';
  if (
    /^(?:well done|good job|good bot|you are (?:great|the best|awesome|amazing|so helpful|very helpful))$/.test(
      part,
    )
  )
    return 'Thank you.';
  if (BYE.test(part)) return 'Goodbye! What you told me, I will remember.';
  if (WHO.test(part))
    return `I am an assistant that runs tools and remembers what you tell me. ${FALLBACK_REASONS[why]}, so I answer by rules.`;
  return FINE.test(part) ? 'All right.' : undefined;
}

function greeting(part: string): string {
  const day = /good (morning|afternoon|evening|day)/.exec(part)?.[1];
  return day === undefined ? 'Hello!' : `Good ${day}!`;
}
