import { readPlaces } from './json-places';

export interface Completion {
  /** What is replaced. */
  readonly from: number;
  readonly to: number;
  readonly options: readonly string[];
}

const STEP_TYPES = ['api_call', 'llm_call', 'tool_execution'];
const OTHER_ROOTS = ['input.', 'previous_result', 'item', 'index', 'run.id', 'step.id'];
const MAX_OPTIONS = 12;

/** What may be written at a place of a workflow: types of steps, ids of earlier steps, names of tools. Pure. */
export function complete(text: string, caret: number, tools: readonly string[]): Completion | undefined {
  const before = text.slice(0, caret);
  const { path, open } = readPlaces(before);
  if (open === undefined) return undefined;
  const earlier = [...before.matchAll(/"id"\s*:\s*"([^"]+)"/g)].map(([, id = '']) => id);
  // The id of the step that is being written is the last one, unless it comes after the caret.
  const isNamed = readPlaces(before).offsets.has(path.replace(/^(steps\[\d+\]).*$/, '$1.id'));
  const ids = isNamed ? earlier.slice(0, -1) : earlier;
  const template = /\{\{\s*([\w.-]*)$/.exec(open)?.[1];
  const all =
    template !== undefined
      ? [...ids.map((id) => `${id}.result`), ...OTHER_ROOTS]
      : /\]\.type$/.test(path)
        ? STEP_TYPES
        : path.endsWith('.config.toolName')
          ? tools
          : /\.dependsOn\[\d+\]$/.test(path)
            ? ids
            : [];
  const written = template ?? open;
  const options = all.filter((each) => each.startsWith(written) && each !== written).slice(0, MAX_OPTIONS);
  const rest = /^[\w.-]*/.exec(text.slice(caret))?.[0].length ?? 0;
  return options.length === 0 ? undefined : { from: caret - written.length, to: caret + rest, options };
}
