import type { ToolCall } from '../contracts/runs/tools';
import type { ToolParameters } from '../contracts/http/tools';

/** Characters that references may add to one call's arguments. Part of the determinism: changed only with `patched`. */
export const MAX_INSERTED = 8_388_608;

/**
 * Arguments after their templates were resolved: a parameter that takes text gets the text of what a template stands for,
 * a body to read, a number to print.
 * @param written the arguments before
 */
export function fitArguments(
  resolved: ToolCall['args'],
  written: ToolCall['args'],
  parameters: ToolParameters | undefined,
): ToolCall['args'] {
  return Object.fromEntries(
    Object.entries(resolved).map(([name, value]) => {
      const wantsText =
        parameters !== undefined && Object.hasOwn(parameters, name) && parameters[name]?.type === 'string';
      const isInserted = typeof value !== 'string' && typeof written[name] === 'string';
      return [name, wantsText && isInserted ? JSON.stringify(value) : value];
    }),
  );
}
