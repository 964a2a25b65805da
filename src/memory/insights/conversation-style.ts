import type { ConversationStyle } from '../../contracts/http/memory-chat';

/** Minimum number of messages from which a style can be derived. */
export const MIN_MESSAGES = 3;
/** Minimum share of the messages that determines a style. */
const STYLE_SHARE = 0.5;
/** Minimum number of words of a statement; a shorter message that is neither question nor request is `talk`. */
const MIN_WORDS_OF_STATEMENT = 5;

type MessageKind = 'question' | 'request' | 'statement' | 'talk';

const OPENING =
  /^(?:(?:hi|hey|hello|ok|okay|so|well|and|now|then|thanks|thank you|please|just)\b[\s,.!:-]*)+/iu;
const REQUEST_FORM =
  /^(?:(?:can|could|would|will) you|i (?:want|need|would like|'?d like) you to|let'?s|make sure|do not|don'?t|never|always)\b/iu;
const IMPERATIVE =
  /^(?:add|answer|arrange|book|build|calculate|call|cancel|change|check|clear|compare|compute|convert|count|create|delete|describe|divide|draw|explain|fetch|find|fix|forget|generate|get|give|help|keep|list|look|make|multiply|note|open|order|plan|play|prepare|put|read|recommend|remember|remind|remove|repeat|replace|run|save|schedule|search|send|set|show|sort|start|stop|store|subtract|suggest|sum|summari[sz]e|tell|translate|try|turn|update|use|write)\b/iu;
const PLEASE = /\bplease\b/iu;
const QUESTION_WORD =
  /^(?:what|which|who|whom|whose|when|where|why|how|is|are|am|was|were|do|does|did|have|has|had|can|could|should|shall|would|will|may|might)\b/iu;

/**
 * Classifies how a user mostly talks, by the kind of at least half of the messages: `inquisitive` for questions,
 * `directive` for requests, `informative` for statements of at least five words; in this order if two kinds are half
 * each. `conversational` if no kind is half, `unknown` with fewer than three messages. Made for English. Pure.
 */
export function classifyStyle(messages: readonly string[]): ConversationStyle {
  if (messages.length < MIN_MESSAGES) return 'unknown';
  const kinds = messages.map(classifyMessage);
  const isMostly = (kind: MessageKind): boolean =>
    kinds.filter((each) => each === kind).length >= messages.length * STYLE_SHARE;
  if (isMostly('question')) return 'inquisitive';
  if (isMostly('request')) return 'directive';
  return isMostly('statement') ? 'informative' : 'conversational';
}

/** A request in the form of a question ("can you …?") is a request. */
function classifyMessage(message: string): MessageKind {
  const text = message.trim().replace(/’/gu, "'");
  const said = text.replace(OPENING, '');
  if (REQUEST_FORM.test(said) || IMPERATIVE.test(said) || PLEASE.test(text)) return 'request';
  if (/\?(?:\s|$)/u.test(text) || QUESTION_WORD.test(said)) return 'question';
  return countWords(text) >= MIN_WORDS_OF_STATEMENT ? 'statement' : 'talk';
}

/** Pure. */
export function countWords(text: string): number {
  return text.match(/[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu)?.length ?? 0;
}
