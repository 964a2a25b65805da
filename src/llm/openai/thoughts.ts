type Marks = readonly [begin: string, end: string];

/** Marks between which models think in their text. Some chat templates open the first mark themselves. */
const MARKS: readonly Marks[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['[THINK]', '[/THINK]'],
  ['<seed:think>', '</seed:think>'],
  ['◁think▷', '◁/think▷'],
  ['<|channel|>analysis<|message|>', '<|end|>'],
];
/** The end of a channel is not that of thoughts alone. */
const CLOSING_ALONE = MARKS.filter(([, end]) => end !== '<|end|>');
const MAX_MARK = Math.max(...MARKS.flat().map(({ length }) => length));
/** What stands between the thoughts and the answer of models that have channels. */
const FINAL_CHANNEL = /^(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>/;
/** How JSON begins. A mark in it is part of a text, and no thoughts begin so. */
const BEGINS_JSON = /^(?:```(?:json)?\s*)?[{[]\s*["{[]/;
/** A mark after one of these is a mark that the text is about. */
const QUOTES = '`"\'';

/** Text of an answer, divided. */
export interface Divided {
  /** The text without the thoughts before it; empty while the model thinks. */
  readonly said: string;
  /** Whether the thoughts had an end but no beginning, since the chat template had opened them. */
  readonly isUnopened: boolean;
}

/** Divides the thoughts with which a text begins from what is said. Marks in the middle of a text are part of it. Pure. */
export function divideThoughts(content: string): Divided {
  return createThoughtDivider()(content);
}

/**
 * Creates a function that does the same for a text that grows, and looks at each part of it once.
 * @param isOpened whether the text begins within thoughts, as it does for a model whose chat template opens them
 */
export function createThoughtDivider({ isOpened = false } = {}): (soFar: string) => Divided {
  let end: { readonly at: number; readonly isUnopened: boolean } | undefined;
  let searched = 0;
  return (soFar) => {
    const text = soFar.trimStart();
    const opened = MARKS.find(([begin]) => text.startsWith(begin));
    if (opened === undefined && !isOpened && BEGINS_JSON.test(text))
      return { said: soFar, isUnopened: false };
    end ??= opened === undefined ? findClosing(text, searched) : findEnd(text, opened, searched);
    searched = Math.max(0, text.length - MAX_MARK);
    if (end !== undefined) return { said: afterThoughts(text.slice(end.at)), isUnopened: end.isUnopened };
    return { said: opened !== undefined || isOpened ? '' : soFar, isUnopened: false };
  };
}

/** Whether more text may show that this is the beginning of a mark. Pure. */
export function mayBeginThoughts(content: string): boolean {
  const text = content.trimStart();
  return MARKS.some(([begin]) => text.length < begin.length && begin.startsWith(text));
}

function findEnd(text: string, [begin, end]: Marks, from: number) {
  const at = text.indexOf(end, Math.max(from, begin.length));
  return at === -1 ? undefined : { at: at + end.length, isUnopened: false };
}

/** Finds where the text continues after a mark that closes thoughts which no mark before it has opened. */
function findClosing(text: string, from: number) {
  for (const [begin, end] of CLOSING_ALONE) {
    const at = text.indexOf(end, from);
    if (at === -1 || text.slice(0, at).includes(begin)) continue;
    if (at > 0 && QUOTES.includes(text.charAt(at - 1))) continue;
    return { at: at + end.length, isUnopened: true };
  }
  return undefined;
}

function afterThoughts(text: string): string {
  return text.trimStart().replace(FINAL_CHANNEL, '').trimStart();
}
