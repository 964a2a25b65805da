import type { ToolDescription } from '../types';
import { stem } from '../text/stem';
import { textOf, type Token, type TokenText } from '../text/token';
import { plainStem, slotsOf, type Slot } from './slots';
import { spansOf, type Range, type FormSpans } from './spans';
import { termsOf } from './tool-terms';

/** A text as it is read for one tool. */
export interface View {
  readonly text: TokenText;
  readonly tokens: readonly Token[];
  readonly tool: ToolDescription;
  readonly slots: readonly Slot[];
  readonly spans: FormSpans;
}

/** One way to fill one parameter. */
export interface Candidate extends Range {
  readonly slot: Slot;
  readonly value: unknown;
  /** Names of what speaks for it and against it; the learned weights say how much. */
  readonly features: readonly string[];
  /** True where the value's form or a label gave it, rather than its place in the sentence. */
  readonly isCertain: boolean;
  /** The value with its label, its unit and the like: what the reading explains. */
  readonly explains?: Range;
}

export function viewOf(text: TokenText, tool: ToolDescription): View {
  return { text, tokens: text.tokens, tool, slots: slotsOf(tool), spans: spansOf(text) };
}

/** The text of some tokens as written; of one quotation what is inside. */
export function valueText({ text, tokens }: View, { from, to }: Range): string {
  const only = tokens[from];
  if (to === from + 1 && only?.kind === 'quoted') return String(only.value);
  return textOf(text, from, to).trim();
}

/** True for a word of the tool's name or description. */
export function isToolWord({ tool }: View, lower: string): boolean {
  const { name, description } = termsOf(tool);
  const own = stem(lower);
  return name.includes(own) || description.has(own);
}

/** The stems in a token: of `double-sided` two. */
export function stemsOf({ lower }: Token): string[] {
  return lower
    .split(/[-–]/)
    .filter((part) => part !== '')
    .map(plainStem);
}
