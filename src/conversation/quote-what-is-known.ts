import type { AnswerRequest, TurnAnswer } from '../contracts/runs/turns';
import { shorten } from '../contracts/json';
import { NOT_ANSWERED } from '../contracts/not-answered';
import { NO_USAGE } from '../contracts/runs/token-usage';
import { recalledTexts } from './recalled-texts';

/** Maximum number of quoted memories, and maximum length of each quotation and of a tool's result, characters. */
const MAX_QUOTES = 3;
const MAX_QUOTED = 300;

/**
 * Builds the reply of a turn where neither a model nor rules can answer: the results of tools, else the memories that
 * fit best, word for word. The reply says that it is not an answer. Pure.
 * @param reason why there is no answer, as a sentence without its full stop
 */
export function quoteWhatIsKnown(
  { tools, recalled }: Pick<AnswerRequest, 'tools' | 'recalled'>,
  reason: string,
): Omit<TurnAnswer, 'context' | 'time'> {
  const made = { provider: NOT_ANSWERED, model: NOT_ANSWERED, usage: NO_USAGE };
  const degraded = (consequence: string) => [{ service: 'llm' as const, reason, consequence }];
  if (tools.length > 0) {
    const text = tools.map(describeOutcome).join('\n');
    return { ...made, text, sources: [], degraded: degraded('the results of the tools were quoted') };
  }
  const quoted = recalledTexts(recalled)
    .filter(({ relevance }) => relevance > 0)
    .sort((one, other) => other.relevance - one.relevance)
    .slice(0, MAX_QUOTES);
  const lines = quoted.map(({ text }) => `“${shorten(text, MAX_QUOTED)}”`);
  const found = lines.length > 0 ? `Memory has on it:\n${lines.join('\n')}` : 'Memory has nothing on it.';
  const consequence = lines.length > 0 ? 'memories were quoted' : 'the message was not answered';
  return {
    ...made,
    text: `I cannot answer this. ${reason}. ${found}`,
    sources: quoted.map(({ id }) => id),
    degraded: degraded(consequence),
    // A reply that only quotes memories is not worth being recalled.
    nothingKnown: true,
  };
}

function describeOutcome({ toolName, success, result, error }: AnswerRequest['tools'][number]): string {
  return success
    ? `${toolName} returned ${shorten(result, MAX_QUOTED)}`
    : `${toolName} failed: ${shorten(error ?? 'it gave no reason', MAX_QUOTED)}`;
}
