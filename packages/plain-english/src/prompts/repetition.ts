import type { Prompt } from './prompt';

const EXACTLY =
  /^(?:please\s+)?(?:reply|respond|answer|say|write|output|return|print)(?:\s+(?:only|just))?(?:\s+with)?(?:\s+(?:exactly|only|just|the following|the word|the words|the text|verbatim))+\s*:?\s*/i;
const REPEAT =
  /^(?:please\s+)?(?:repeat|echo|say)(?:\s+(?:after me|this|the following|back|exactly|the text|the word|the words))*\s*[:,]?\s*/i;

/** `reply with exactly: X`, `repeat: X`. */
export function answerRepetition({ whole }: Prompt): string | undefined {
  const prefix =
    EXACTLY.exec(whole)?.[0] ??
    (/^(?:please\s+)?(?:repeat|echo)\b/i.test(whole) ? REPEAT.exec(whole)?.[0] : undefined);
  if (prefix === undefined) return undefined;
  const rest = whole.slice(prefix.length).trim();
  return rest === '' ? undefined : rest.replace(/^"([^"]*)"[.]?$/, '$1');
}
