/** Characters that a function name may not have, such as the dots that names of tools may have. */
const NOT_ALLOWED = /[^A-Za-z0-9_-]/g;
const MAX_LENGTH = 64;

/** The function name of each tool, by which a model calls it. */
export interface FunctionNames {
  /** The function name of a tool; a tool of an earlier turn that is no longer offered has one too. */
  functionOf(toolName: string): string;
  /**
   * The tool of a function name, also of one with something before or after it if exactly one offered tool fits, as in
   * `functions.weather` or `weather<|channel|>commentary`; undefined if no tool fits.
   */
  toolOf(functionName: string): string | undefined;
}

/** Gives each tool a separate function name, the tool's own name wherever that is possible. */
export function createFunctionNames(toolNames: readonly string[]): FunctionNames {
  const functions = new Map<string, string>();
  const tools = new Map<string, string>();
  const add = (toolName: string, functionName: string): void => {
    functions.set(toolName, functionName);
    tools.set(functionName, toolName);
  };
  const plain = toolNames.filter((name) => sanitise(name) === name);
  plain.forEach((name) => add(name, name));
  for (const name of toolNames) {
    if (functions.has(name)) continue;
    let candidate = sanitise(name);
    for (let number = 2; tools.has(candidate); number += 1) candidate = `${sanitise(name)}_${number}`;
    add(name, candidate);
  }
  const exactly = (name: string): string | undefined =>
    tools.get(name) ?? (functions.has(name) ? name : undefined);
  return {
    functionOf: (toolName) => functions.get(toolName) ?? sanitise(toolName),
    toolOf(functionName) {
      const exact = exactly(functionName);
      if (exact !== undefined) return exact;
      const fitting = new Set(
        partsOf(functionName).flatMap((part) => exactly(part) ?? tools.get(sanitise(part)) ?? []),
      );
      const [only, ...others] = fitting;
      return others.length === 0 ? only : undefined;
    },
  };
}

/** A longer name is made up. */
const MAX_PARTED = 200;
/** What models write after a name: a mark of their training, the number of the call, or brackets. */
const TAIL = /<\|.*$|:\d+$|\(.*$/s;

/** What may be the name of a function in a name with more before or after it: all of its ends that follow a separator. */
function partsOf(name: string): string[] {
  if (name.length > MAX_PARTED) return [];
  const whole = name.trim().replace(TAIL, '').trim();
  const starts = [...whole.matchAll(/[./:]/g)].map(({ index }) => whole.slice(index + 1));
  return [whole, ...starts].filter((part) => part !== '');
}

/** Makes a name that providers accept of any text, such as the name of a function that a model made up. */
export function toFunctionName(text: string): string {
  return sanitise(text).slice(0, MAX_LENGTH) || '_';
}

function sanitise(name: string): string {
  return name.replace(NOT_ALLOWED, '_');
}
