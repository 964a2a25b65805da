import tools from './known-tools.json';
import type { ToolDescription } from './types';

export const HTTP_METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];
export type CalculatorOperation = 'add' | 'subtract' | 'multiply' | 'divide';

/**
 * The tools for which the rules have readers of their own. A caller offers them under these names and with these parameters;
 * every other tool is chosen by the words of its description.
 */
export const KNOWN_TOOLS = Object.entries(tools).map(([name, tool]) => ({
  name,
  ...tool,
})) as readonly ToolDescription[];

const NAMES = new Set(KNOWN_TOOLS.map(({ name }) => name));

/** Whether a tool has a reader of its own. */
export function isKnownTool(name: string | undefined): boolean {
  return name !== undefined && NAMES.has(name);
}
