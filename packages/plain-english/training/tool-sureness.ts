import { doubtsOf } from '../src/arguments/doubts';
import { KNOWN_TOOLS } from '../src/known-tools';
import { readEvery } from '../src/readers/registered';
import { readLabelled } from './labelled-calls';
import { isSame } from './tool-arguments';
import type { ToolChoice } from './tool-choice';

/** Texts of one file for at most one call of a registered tool: whether the likeliest call is right, and its doubts. */
export function surenessChoices(path: string): ToolChoice[] {
  const { tools, texts } = readLabelled(path);
  return texts.flatMap(({ text, calls }) => {
    const [call, ...others] = calls;
    if (others.length > 0) return [];
    const readings = readEvery(text, { tools: [...KNOWN_TOOLS, ...tools], steps: [] });
    const total = Math.log(readings.reduce((sum, { fit }) => sum + Math.exp(fit), 1));
    const [best] = readings.sort((one, other) => other.fit - one.fit);
    if (!best || best.fit < 0 || best.extraction.missing !== undefined) return [];
    const { extraction } = best;
    const isRight = extraction.view.tool.name === call?.tool && isSame(extraction.args, call.args);
    return [{ options: [doubtsOf(best, best.fit - total), {}], right: [isRight ? 0 : 1] }];
  });
}
