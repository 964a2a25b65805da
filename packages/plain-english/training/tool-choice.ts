import { measuresOf } from '../src/arguments/fit';
import { KNOWN_TOOLS } from '../src/known-tools';
import { readEvery } from '../src/readers/registered';
import type { Measures } from '../src/arguments/weights';
import { trainChoices, type TrainingOptions } from './conditional-logit';
import { readLabelled, toolOf } from './labelled-calls';

/** One labelled sentence: the measures of each tool that may be meant, the last option being none. */
export interface ToolChoice {
  readonly options: readonly Measures[];
  readonly right: readonly number[];
}

/** The sentences that ask for one call of a registered tool, leave one of its parameters out, or ask for none. */
export function toolChoices(path: string): ToolChoice[] {
  const { tools, texts } = readLabelled(path);
  const context = { tools: [...KNOWN_TOOLS, ...tools], steps: [] };
  return texts.flatMap((labelled) => {
    const { calls, lacks } = labelled;
    const registered = calls.filter(({ tool }) => tools.some(({ name }) => name === tool));
    const tool = toolOf(labelled, tools);
    const isNone = registered.length === 0 && lacks === undefined;
    if (registered.length > 0 ? calls.length > 1 : !isNone && !tool) return [];
    const readings = readEvery(labelled.text, context);
    const found = readings.findIndex(({ extraction }) => extraction.view.tool.name === tool?.name);
    const right = isNone ? [readings.length] : found === -1 ? [] : [found];
    return [{ options: [...readings.map(measuresOf), {}], right }];
  });
}

/** Learns the weights of the measures. */
export function trainMeasures(choices: readonly ToolChoice[], options: TrainingOptions): Measures {
  const names = [...new Set(choices.flatMap((one) => one.options.flatMap(Object.keys)))];
  const numbered = choices
    .filter(({ right }) => right.length > 0)
    .map(({ options: offered, right }) => ({
      right,
      options: offered.map((one) => ({
        places: Int32Array.from(Object.keys(one), (name) => names.indexOf(name)),
        values: Float64Array.from(Object.values(one)),
      })),
    }));
  const weights = trainChoices(numbered, names.length, options);
  return Object.fromEntries(
    names.map((name, index) => [name, Number((weights[index] as number).toFixed(2))]),
  );
}
