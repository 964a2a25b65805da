import { z } from 'zod';

/** Letters, digits, `_`, `-` and `.`, the first a letter, 1 to 64 characters. */
export const toolNameSchema = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/,
    'A tool name has 1 to 64 letters, digits, "_", "-" and ".", and begins with a letter',
  );

/** Last segments of existing or planned paths under /api/tools: a tool of that name could not be reached there. */
const TOOL_PATH_NAMES: readonly string[] = [
  'clear',
  'definitions',
  'execute',
  'execute-multiple',
  'execute-sequential',
  'execute-with-llm',
  'mcp',
  'register',
  'restore',
  'stats',
];

/**
 * Names under which no tool can be registered: path segments, and properties that every JavaScript object has, so that
 * an object keyed by tool name never answers for a tool that does not exist.
 */
export const RESERVED_TOOL_NAMES: readonly string[] = [
  ...TOOL_PATH_NAMES,
  'prototype',
  ...Object.getOwnPropertyNames(Object.prototype),
];

const RESERVED = new Set(RESERVED_TOOL_NAMES.map((name) => name.toLowerCase()));

/** Ignores case, because a reader would take a tool named "Execute" for the path. */
export function isReservedToolName(name: string): boolean {
  return RESERVED.has(name.toLowerCase());
}
