import type { ToolCall } from '../contracts/runs/tools';
import type { JsonSchema } from '../contracts/http/tools';
import { parametersOf, schemaOf } from '../contracts/http/tool-schemas';
import { resolveTemplates, type TemplateScope } from './resolve';

/**
 * References may add this number of characters to the arguments of a call. The limit is part of the determinism of
 * workflows, so a change to it goes behind `patched`.
 */
export const MAX_INSERTED = 8_388_608;

/**
 * Converts arguments whose templates were resolved: if a parameter takes a text and a template gave another type,
 * such as a response body or a number, the argument becomes its JSON text. `null` stays what it is, and is refused like any
 * other value of a wrong type.
 * @param written the arguments before their templates were resolved
 */
export function fitArguments(
  resolved: ToolCall['args'],
  written: ToolCall['args'],
  schema: JsonSchema | undefined,
): ToolCall['args'] {
  const parameters = parametersOf(schema ?? {});
  return Object.fromEntries(
    Object.entries(resolved).map(([name, value]) => {
      const wantsText = Object.hasOwn(parameters, name) && parameters[name]?.type === 'string';
      const isInserted = typeof value !== 'string' && typeof written[name] === 'string';
      const becomesText = wantsText && isInserted && value !== null;
      return [name, becomesText ? JSON.stringify(value) : value];
    }),
  );
}

/**
 * Resolves the templates in the arguments of a call. Pure.
 * @param maxInserted the number of characters that references may add
 * @throws TemplateReferenceError
 */
export function resolveCall(call: ToolCall, scope: TemplateScope, maxInserted = MAX_INSERTED): ToolCall {
  const args = resolveTemplates(call.args, scope, maxInserted) as ToolCall['args'];
  return { ...call, args: fitArguments(args, call.args, schemaOf(call)) };
}
