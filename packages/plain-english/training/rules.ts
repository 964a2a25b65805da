import { CUES, cuesOf } from '../src/intents/cues';
import { look } from '../src/intents/cues/cue';
import { readText } from '../src/intents/text';
import { INTENT_TYPES, type IntentType } from '../src/intents/intent-types';
import type { Sentence } from './sentence';

/** Of an answer by rule; the rest is shared by the other types. */
const CONFIDENCE = 0.7;

/** The comparison's third method: the cues in a fixed order of precedence, with no weights at all. */
export function classifyByRules({ query, previous }: Sentence): number[] {
  const sight = look(readText(query));
  const seen = new Set(cuesOf(sight).map((index) => CUES[index]?.id ?? ''));
  const type = decide(seen, sight.wordCount, previous.at(-1));
  const rest = (1 - CONFIDENCE) / (INTENT_TYPES.length - 1);
  return INTENT_TYPES.map((name) => (name === type ? CONFIDENCE : rest));
}

function decide(seen: ReadonlySet<string>, wordCount: number, before: IntentType | undefined): IntentType {
  if (before !== undefined && wordCount <= 6) return followUp(seen, before);
  if (seen.has('keep-statement')) return 'memory_chat';
  if (seen.has('work-on-kept') || (seen.has('work-on-own') && seen.has('how-much-many'))) return 'hybrid';
  if (seen.has('kept-alone') && !seen.has('told-you-so')) return 'memory_chat';
  if (seen.has('weather-general')) return 'knowledge_search';
  if (seen.has('work') && !seen.has('explain-verb'))
    return seen.has('work-on-own') ? 'hybrid' : 'tool_execution';
  if (seen.has('own-alone') && (seen.has('whq-my') || seen.has('question-mark'))) return 'memory_chat';
  if (seen.has('about-you') || seen.has('roleplay') || seen.has('chat-alone')) return 'conversation';
  if (seen.has('learn') || seen.has('wh-start')) return 'knowledge_search';
  return 'conversation';
}

function followUp(seen: ReadonlySet<string>, before: IntentType): IntentType {
  if (seen.has('thanks') || seen.has('exclamation')) return 'conversation';
  if (before === 'memory_chat' && seen.has('work')) return 'hybrid';
  return before;
}
