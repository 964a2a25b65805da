import { readFileSync } from 'node:fs';
import type { ToolDescription } from '../src/types';
import { withPlainVerbs } from '../src/plan/gerunds';
import type { TokenText } from '../src/text/token';
import { tokenize } from '../src/text/tokenizer';

/** A call as a label gives it. */
interface ExpectedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A file of labelled sentences; test/sentences/README.md says what its fields hold. */
interface SentenceFile {
  readonly tools: readonly ToolDescription[];
  readonly sentences: readonly {
    readonly query: string;
    readonly expect: readonly ExpectedCall[] | { readonly error: string; readonly missing?: string };
  }[];
}

/** A sentence with what it asks for. */
export interface LabelledText {
  readonly text: TokenText;
  /** The calls of the sentence; empty where it is to be refused. */
  readonly calls: readonly ExpectedCall[];
  /** The parameter that a refused sentence leaves out. */
  readonly lacks?: string | undefined;
}

export interface LabelledFile {
  readonly tools: readonly ToolDescription[];
  readonly texts: readonly LabelledText[];
}

export function readLabelled(path: string): LabelledFile {
  const { tools, sentences } = JSON.parse(readFileSync(path, 'utf8')) as SentenceFile;
  const texts = sentences.map(({ query, expect }) => {
    const text = withPlainVerbs(tokenize(query));
    return 'error' in expect ? { text, calls: [], lacks: expect.missing } : { text, calls: expect };
  });
  return { tools, texts };
}

/** The tool that a sentence is about: the one that it calls, or the only one with the parameter that it leaves out. */
export function toolOf(
  { calls, lacks }: LabelledText,
  tools: readonly ToolDescription[],
): ToolDescription | undefined {
  const suiting = tools.filter(({ name, parameters }) =>
    lacks === undefined ? name === calls[0]?.tool : Object.hasOwn(parameters, lacks),
  );
  return suiting.length === 1 ? suiting[0] : undefined;
}
