import type { DetailLevel } from '../../contracts/http/memory-chat';
import { MIN_MESSAGES, countWords } from './conversation-style';

/** Minimum median of words for `moderate` and for `detailed`. */
const MODERATE_FROM = 8;
const DETAILED_FROM = 25;

/**
 * Classifies how much a user mostly writes at once, by the median number of words of the messages: `brief` below 8,
 * `moderate` below 25, else `detailed`; `unknown` with fewer than three messages. Pure.
 */
export function classifyDetail(messages: readonly string[]): DetailLevel {
  if (messages.length < MIN_MESSAGES) return 'unknown';
  const lengths = messages.map(countWords).sort((one, other) => one - other);
  const upper = lengths[Math.floor(lengths.length / 2)] ?? 0;
  const lower = lengths[Math.floor((lengths.length - 1) / 2)] ?? 0;
  const median = (upper + lower) / 2;
  if (median < MODERATE_FROM) return 'brief';
  return median < DETAILED_FROM ? 'moderate' : 'detailed';
}
