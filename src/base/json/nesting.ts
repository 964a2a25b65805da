import { scanJson } from './scan';

/**
 * The maximum nesting of JSON that comes from outside, and of arguments and results of tools. It is far below what the stack of
 * recursive code, such as a JSON serialiser or a schema, can take.
 */
export const MAX_NESTING = 256;

/** Whether valid JSON text nests objects and arrays deeper than `limit`. It uses no recursion, so the stack cannot overflow. */
export function nestsDeeperThan(text: string, limit: number): boolean {
  return scanJson(text, limit, { numbers: false }).isTooDeep;
}
