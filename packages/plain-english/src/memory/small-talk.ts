import { sentencePlaces } from './clauses';
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
const MEETING = /^(?:nice|good|pleased|great) to meet you(?: too)?$/;
const PRAISE =
  /^(?:well done|good job|good bot|you are (?:great|the best|awesome|amazing|so helpful|very helpful))$/;

type Reply = string | ((part: string, why: FallbackReason) => string);

/** What is said in return, the first that fits. */
const REPLIES: readonly (readonly [RegExp, Reply])[] = [
  [HOW, 'I am well, thank you. What can I do for you?'],
  [GREETING, (part) => `${greeting(part)} What can I do for you?`],
  [THANKS, 'You are welcome.'],
  [MEETING, 'Nice to meet you, too.'],
  [PRAISE, 'Thank you.'],
  [BYE, 'Goodbye! What you told me, I will remember.'],
  [
    WHO,
    (_, why) =>
      `I am an assistant that runs tools and remembers what you tell me. ${FALLBACK_REASONS[why]}, so I answer by rules.`,
  ],
  [FINE, 'All right.'],
];

/** The reply to small talk; undefined for anything else. */
export function smallTalk(part: string, why: FallbackReason): string | undefined {
  const reply = REPLIES.find(([pattern]) => pattern.test(part))?.[1];
  return typeof reply === 'function' ? reply(part, why) : reply;
}

function greeting(part: string): string {
  const day = /good (morning|afternoon|evening|day)/.exec(part)?.[1];
  return day === undefined ? 'Hello!' : `Good ${day}!`;
}

/** The sentences of a text, without what does not tell one small talk from another. */
export function partsOf(text: string): string[] {
  return sentencePlaces(text).map(([start, end]) => plain(text.slice(start, end)));
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
