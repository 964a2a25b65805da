import { doubtsOf } from '../src/arguments/doubts';
import { extractArguments } from '../src/arguments/extract';
import { readLabelled, toolOf } from './labelled-calls';
import { isSame, scorerOf } from './tool-arguments';
import type { WeightTable } from '../src/arguments/weights';
import type { ToolChoice } from './tool-choice';

/** Calls of one file as a table reads them that has not been trained on it: whether they are right, and their doubts. */
export function surenessChoices(path: string, table: WeightTable): ToolChoice[] {
  const { tools, texts } = readLabelled(path);
  const score = scorerOf(table);
  return texts.flatMap((labelled) => {
    const [call, ...others] = labelled.calls;
    const tool = toolOf(labelled, tools);
    if (!call || !tool || others.length > 0) return [];
    const extraction = extractArguments(labelled.text, tool, { calls: [], tools, score });
    return [{ options: [doubtsOf(extraction), {}], right: [isSame(extraction.args, call.args) ? 0 : 1] }];
  });
}
