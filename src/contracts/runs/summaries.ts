import { shorten } from '../json';
import { redactedJson, redactedStart } from '../redact';
import type { ToolCall } from './tools';
import type { ModelChoice } from './workflows';

/** The server refuses a summary of more than 400 bytes; a character takes up to three. */
const SUMMARY_LENGTH = 120;

/**
 * One line for the Temporal UI: what was asked in words, secrets hidden. Reads no more of the text than it needs. Pure.
 * @param max characters
 */
export function summariseText(text: string, max = SUMMARY_LENGTH): string {
  return shorten(onOneLine(redactedStart(text, max)), max);
}

/** One line for the Temporal UI: the tool and its arguments, secrets hidden; the arguments are read up to its end. Pure. */
export function summariseCall({ toolName, args }: Pick<ToolCall, 'toolName' | 'args'>): string {
  return shorten(onOneLine(`${toolName} ${redactedJson(args, SUMMARY_LENGTH)}`), SUMMARY_LENGTH);
}

/** One line for the Temporal UI: who is asked, and what for. A name too long is cut, never the purpose. Pure. */
export function summariseModelCall(
  { provider, model }: Pick<ModelChoice, 'provider' | 'model'>,
  purpose: string,
): string {
  // Rules have one model, of the provider's own name.
  const who = onOneLine(provider === model ? provider : `${provider} ${model}`);
  return `${shorten(who, SUMMARY_LENGTH - purpose.length - ': '.length)}: ${purpose}`;
}

/** One line for several calls: the call itself where there is one, else how many and which tools. Pure. */
export function summariseCalls(calls: readonly Pick<ToolCall, 'toolName' | 'args'>[]): string {
  const [only] = calls;
  if (calls.length === 1 && only !== undefined) return summariseCall(only);
  return shorten(
    `${calls.length} tools: ${calls.map(({ toolName }) => toolName).join(', ')}`,
    SUMMARY_LENGTH,
  );
}

/** JSON writes control characters and halves of surrogate pairs with six bytes each, for which a summary has no room. */
function onOneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').replaceAll(/\p{Cs}/gu, '\ufffd');
}
