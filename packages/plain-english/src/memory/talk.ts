import { cut } from '../text/shown';
import { type Clause, clausesOf, isQuestion, isRequest, sentencePlaces, withFullForms } from './clauses';
import { SMALL_TALK, WORDING } from './lexicon';

/** Why rules answer: no model is configured, another than a model was chosen, or the model failed. */
export type FallbackReason = 'not-configured' | 'not-chosen' | 'failed';

/** As the beginning of a sentence. */
export const FALLBACK_REASONS: Readonly<Record<FallbackReason, string>> = {
  'not-configured': 'No language model is configured',
  'not-chosen': 'No language model was asked',
  failed: 'The language model did not answer',
};

const MAX_READ = 4_000;
const MAX_NOTED = 300;
const HOW_TO_FORGET =
  'I do not delete anything by a sentence. DELETE /api/memory/episodic/{id} deletes one memory with the facts that it says, DELETE /api/memory/facts/{userId}/{factId} retracts one fact, and DELETE /api/memory/clear/{userId} erases everything about a user.';

/**
 * The reply to small talk, to a request to forget, and to statements, which are repeated as they were written. Undefined if more is
 * wanted, so also for any other question.
 */
export function replyToTalk(query: string, why: FallbackReason): string | undefined {
  const read = query.slice(0, MAX_READ).trim();
  const places = sentencePlaces(read);
  const replies = places.map(([start, end]) => smallTalk(plain(read.slice(start, end)), why));
  if (replies.length > 0 && replies.every((reply) => reply !== undefined)) return replies.at(-1);
  if (places.some(([start, end]) => WORDING.forget.test(read.slice(start, end).trim()))) return HOW_TO_FORGET;
  const clauses = clausesOf(read);
  const asks = ({ text, asks: isAsked }: Clause): boolean => isAsked || isQuestion(text) || isRequest(text);
  if (clauses.length === 0 || clauses.some(asks) || !clauses.some(({ text }) => WORDING.states.test(text)))
    return undefined;
  const noted = places.filter((_, at) => replies[at] === undefined);
  const text = noted
    .map(([start, end]) => withoutRequest(read.slice(start, end).trim()))
    .join(' ')
    .replace(/\s+/g, ' ')
    .replace(/[.…]+$/, '');
  return `Noted: “${cut(text, MAX_NOTED)}”.`;
}

/** `Please remember that I live in Leeds` notes `I live in Leeds`. */
const withoutRequest = (text: string): string => {
  const rest = text.replace(WORDING.askedToNote, '');
  return rest === text ? text : withFullForms(rest);
};

/** The reply to small talk; undefined for anything else. */
function smallTalk(part: string, why: FallbackReason): string | undefined {
  const [pattern, reply] = SMALL_TALK.find(([expression]) => expression.test(part)) ?? [];
  return pattern && part.replace(pattern, reply ?? '').replace('{why}', FALLBACK_REASONS[why]);
}

/** A sentence without what does not tell one small talk from another. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\b(how|what|who|it)'s\b/g, '$1 is')
    .replace(/[!.?,…]+$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** What was looked into before nothing was found. */
export interface Search {
  /** What the query was taken for. */
  readonly intent: string;
  /** Whether memory was asked at all. */
  readonly withMemory: boolean;
  readonly why: FallbackReason;
}

/** What there is to say of a model that might know, and what helps. */
const MODELS: Readonly<Record<FallbackReason, readonly [state: string, remedy: string]>> = {
  'not-configured': [
    'no language model is configured that might know',
    'or configure a model (OPENAI_API_KEY or LOCAL_LLM_BASE_URL)',
  ],
  'not-chosen': ['no language model that might know was asked', 'or ask a model'],
  failed: ['the language model that might know did not answer', 'or ask again when the model is back'],
};

/** What is said when nothing is known that answers; it says what would help. */
export function nothingKnown(query: string, { intent, withMemory, why }: Search): string {
  const subject = query.trim().replace(/\s+/g, ' ').slice(0, 200);
  const matter = subject === '' ? 'nothing was asked' : `“${subject}”`;
  const [state, remedy] = MODELS[why];
  switch (intent) {
    case 'memory_chat':
    case 'hybrid':
      return withMemory
        ? `I have no memory that answers this: ${matter}. Tell me, and I will remember it.`
        : `I did not look into memory, as it was left out of this turn, so I cannot answer this: ${matter}.`;
    case 'knowledge_search':
      return withMemory
        ? `Nothing in my stored knowledge answers this, and ${state}. Store what you know about it as a semantic memory, ${remedy}.`
        : `I did not look into my stored knowledge, as memory was left out of this turn, and ${state}. Ask again with memory, ${remedy}.`;
    case 'tool_execution':
      return 'I could not make out what to run here. Name the tool and its values, such as “multiply 6 by 7”.';
    default:
      return (
        `${FALLBACK_REASONS[why]}, so I can only hold a simple conversation. I can calculate, use tools, remember what you tell me ` +
        'about yourself and answer questions about it.'
      );
  }
}

/** Whether a text asks what its author may have said before. Pure. */
export function asksAboutUser(query: string): boolean {
  return (
    (/\?\s*$/.test(query) || isQuestion(withFullForms(query.slice(0, 1_000)))) &&
    /\b(?:I|we|my|our)\b/i.test(query)
  );
}
