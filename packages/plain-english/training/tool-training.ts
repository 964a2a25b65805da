import { join } from 'node:path';
import { withWeights, type CallWeights, type Measures, type WeightTable } from '../src/arguments/weights';
import { slotChoices, trainSlots, type SlotChoice } from './tool-arguments';
import { toolChoices, trainMeasures } from './tool-choice';
import { surenessChoices } from './tool-sureness';

/** The labelled calls that the weights are learned from, by author; what is held out is not among them. */
const AUTHORS = [
  ['test/areas/development/tools.json'],
  ['test/areas/development/tools-second.json'],
  ['test/areas/development/tools-third.json'],
  ['test/areas/development/tools-fourth.json'],
  [
    'training/tool-calls.json',
    'test/sentences/development.json',
    'test/sentences/second.json',
    'test/sentences/third-tools.json',
    'test/sentences/everyday-tools.json',
  ],
];
const FILES = AUTHORS.flat();
/** What the tests demand of every sentence of this file counts more than what they demand of most. */
const EVERYDAY = FILES.at(-1);
const EVERYDAY_WEIGHT = 5;
/** Chosen by what a file's calls lose when they take no part in the training. */
const OPTIONS = { l2: 3e-4, iterations: 150 };

/** Trains with all files but those that are left out. */
export class CallTraining {
  readonly authors = AUTHORS;
  private readonly choices = new Map<string, readonly SlotChoice[]>();
  private readonly tables = new Map<string, WeightTable>();

  /** @param root folder of the package */
  constructor(private readonly root: string) {}

  /**
   * Learns how to weigh the values of parameters, when to trust them, and which tool is meant. The last two are learned from
   * calls that are read by weights of the other files, because weights flatter what they are learned from.
   */
  train(without: readonly string[] = []): CallWeights {
    const authors = AUTHORS.map((files) => files.filter((file) => !without.includes(file)));
    const unseen = <T>(tools: Measures, read: (path: string) => readonly T[]): T[] =>
      authors.flatMap((files) => {
        const slots = this.tableWithout([...without, ...files]);
        return withWeights({ slots, tools }, () => files.flatMap((file) => read(this.pathOf(file))));
      });
    const tools = trainMeasures(unseen({}, toolChoices), OPTIONS);
    const sure = trainMeasures(unseen(tools, surenessChoices), OPTIONS);
    return { slots: this.tableWithout(without), tools, sure };
  }

  pathOf(file: string): string {
    return join(this.root, file);
  }

  private tableWithout(without: readonly string[]): WeightTable {
    const files = FILES.filter((file) => !without.includes(file));
    const key = files.join();
    const known = this.tables.get(key);
    if (known) return known;
    const choices = files.flatMap((file) =>
      Array.from({ length: file === EVERYDAY ? EVERYDAY_WEIGHT : 1 }, () => this.choicesOf(file)).flat(),
    );
    const table = trainSlots(choices, OPTIONS);
    this.tables.set(key, table);
    return table;
  }

  private choicesOf(file: string): readonly SlotChoice[] {
    const known = this.choices.get(file) ?? slotChoices(this.pathOf(file));
    this.choices.set(file, known);
    return known;
  }
}
