import { shorten } from '../json';
import { redactedJson, redactedStart } from '../redact';
import type { ToolCall } from './tools';
import type { ModelChoice } from './workflows';

/** Characters of a summary. The server rejects one of more than 400 bytes, and a character takes up to three. */
const SUMMARY_LENGTH = 120;
/** Characters of a summary with the id of its step, which is of one byte a character. */
const NAMED_LENGTH = 140;

/** The activities by which a run counts its calls and keeps the order of its session. They are no steps of the run. */
export const BOOKKEEPING: ReadonlySet<string> = new Set(['recordToolCall', 'turnState', 'turnChange']);

/**
 * Puts the id of a step, or the ids of several, before the summary of their activity. Of a line that is too long, the end is
 * cut. Pure.
 */
export function nameSummary(id: string, summary: string | undefined): string {
  return shorten(summary === undefined ? id : `${id}: ${summary}`, NAMED_LENGTH);
}

/**
 * Summarises a text from a caller in one line for the Temporal UI, with secrets hidden. It reads no more of the text
 * than it needs. Pure.
 * @param max characters
 */
export function summariseText(text: string, max = SUMMARY_LENGTH): string {
  return shorten(onOneLine(redactedStart(text, max)), max);
}

/**
 * Summarises a call in one line for the Temporal UI: the tool and its arguments, with secrets hidden. It reads no more
 * of the arguments than it needs. Pure.
 */
export function summariseCall({ toolName, args }: Pick<ToolCall, 'toolName' | 'args'>): string {
  return shorten(onOneLine(`${toolName} ${redactedJson(args, SUMMARY_LENGTH)}`), SUMMARY_LENGTH);
}

/**
 * Summarises a model call in one line for the Temporal UI: provider, model and purpose. Of a line that is too long, the
 * names are cut and not the purpose. Pure.
 */
export function summariseModelCall(
  { provider, model }: Pick<ModelChoice, 'provider' | 'model'>,
  purpose?: string,
): string {
  // The provider of rules has a single model with the provider's name.
  const who = onOneLine(provider === model ? provider : `${provider} ${model}`);
  if (purpose === undefined) return shorten(who, SUMMARY_LENGTH);
  return `${shorten(who, SUMMARY_LENGTH - purpose.length - ': '.length)}: ${purpose}`;
}

/**
 * Summarises several calls in one line: a single call as `summariseCall` does, else the number and names of the tools.
 * Pure.
 */
export function summariseCalls(calls: readonly Pick<ToolCall, 'toolName' | 'args'>[]): string {
  const [only] = calls;
  if (calls.length === 1 && only !== undefined) return summariseCall(only);
  return shorten(
    `${calls.length} tools: ${calls.map(({ toolName }) => toolName).join(', ')}`,
    SUMMARY_LENGTH,
  );
}

/**
 * Replaces control characters and lone surrogates, because JSON writes each with six bytes, for which a summary has no
 * room.
 */
function onOneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').replaceAll(/\p{Cs}/gu, '\ufffd');
}
