import { onceFor } from '../text/once-for';
import type { ToolDescription } from '../types';
import { stem, wordsOf } from '../text/stem';
import { STOP_WORDS } from '../text/stop-words';

/** What a tool is recognised by. */
export interface ToolTerms {
  readonly tool: ToolDescription;
  /** Stems of its name. */
  readonly name: readonly string[];
  /** Its name's words as they are, to forgive slips. */
  readonly nameWords: readonly string[];
  /** Stems of its description, and of the names of its parameters. */
  readonly description: ReadonlySet<string>;
  readonly parameters: ReadonlySet<string>;
  /** Stems of what it does: the first word of the name, and of the description. */
  readonly verbs: readonly string[];
}

export const termsOf = onceFor((tool: ToolDescription): ToolTerms => {
  const nameWords = wordsOf(tool.name);
  const description = wordsOf(tool.description);
  const parameters = Object.entries(tool.parameters).flatMap(([name, parameter]) => [
    ...wordsOf(name),
    ...wordsOf(parameter.description),
  ]);
  const [firstOfName = '', firstOfDescription = ''] = [nameWords[0], description[0]];
  return {
    tool,
    name: nameWords.map(stem),
    nameWords,
    description: contentStems(description),
    parameters: contentStems(parameters),
    verbs: [stem(firstOfName), stem(firstOfDescription)],
  };
});

function contentStems(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.filter((word) => !STOP_WORDS.has(word) && word.length > 1).map(stem));
}
