/** Marks between which models think in their text. Some chat templates open the first mark themselves. */
const MARKS: readonly (readonly [string, string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['[THINK]', '[/THINK]'],
  ['<seed:think>', '</seed:think>'],
  ['◁think▷', '◁/think▷'],
  ['<|channel|>analysis<|message|>', '<|end|>'],
];
/** What stands between the thoughts and the answer of models that have channels. */
const FINAL_CHANNEL = /^(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>/;
/** A mark after one of these is a mark that the text is about. */
const QUOTES = '`"\'';

/** Text of an answer, divided. */
export interface Divided {
  /** The text without the thoughts before it; empty while the model thinks. */
  readonly said: string;
  /** Whether the thoughts had an end but no beginning, since the chat template had opened them. */
  readonly isUnopened: boolean;
}

/**
 * Divides the thoughts with which a text begins from what is said. Marks in the middle of a text are part of it. Pure.
 * @param content all text so far
 * @param isOpened whether the text begins within thoughts, as it does for a model whose chat template opens them
 */
export function divideThoughts(content: string, { isOpened = false } = {}): Divided {
  const text = content.trimStart();
  for (const [begin, end] of MARKS) {
    if (!text.startsWith(begin)) continue;
    const at = text.indexOf(end);
    return { said: at === -1 ? '' : afterThoughts(text.slice(at + end.length)), isUnopened: false };
  }
  const closing = findClosing(text);
  if (closing !== undefined) return { said: afterThoughts(text.slice(closing)), isUnopened: true };
  return { said: isOpened ? '' : content, isUnopened: false };
}

/** Whether more text may show that this is the beginning of a mark. Pure. */
export function mayBeginThoughts(content: string): boolean {
  const text = content.trimStart();
  return MARKS.some(([begin]) => text.length < begin.length && begin.startsWith(text));
}

/** Where the text goes on after a mark that closes thoughts which no mark before it has opened. */
function findClosing(text: string): number | undefined {
  for (const [begin, end] of MARKS) {
    if (end === '<|end|>') continue;
    const at = text.indexOf(end);
    if (at === -1 || text.slice(0, at).includes(begin)) continue;
    if (at > 0 && QUOTES.includes(text.charAt(at - 1))) continue;
    return at + end.length;
  }
  return undefined;
}

function afterThoughts(text: string): string {
  return text.trimStart().replace(FINAL_CHANNEL, '').trimStart();
}
