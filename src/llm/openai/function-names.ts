/** Characters that a function name may not have, such as the dots that names of tools may have. */
const NOT_ALLOWED = /[^A-Za-z0-9_-]/g;
const MAX_LENGTH = 64;

/** The function name of each tool, by which a model calls it. */
export interface FunctionNames {
  /** The function name of a tool; a tool of an earlier turn that is no longer offered has one too. */
  functionOf(toolName: string): string;
  /** The tool of a function name; undefined where the tool was not offered. */
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
  return {
    functionOf: (toolName) => functions.get(toolName) ?? sanitise(toolName),
    toolOf: (functionName) =>
      tools.get(functionName) ?? (functions.has(functionName) ? functionName : undefined),
  };
}

/** Makes a name that providers accept of any text, such as the name of a function that a model made up. */
export function toFunctionName(text: string): string {
  return sanitise(text).slice(0, MAX_LENGTH) || '_';
}

function sanitise(name: string): string {
  return name.replace(NOT_ALLOWED, '_');
}
