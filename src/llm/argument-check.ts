import { isHoldfastError } from '../base/errors';
import type { ToolDescription } from '../contracts/http/llm';
import type { JsonObject } from '../contracts/json';
import { checkArguments } from '../tools/arguments';

/** A mistake in the arguments of a call. */
export interface ArgumentProblem {
  /** JSON Pointer of the value (RFC 6901), `` for the arguments as a whole. */
  readonly pointer: string;
  /** What is wrong with the value, as in `is required (string)`. */
  readonly message: string;
}

/**
 * Checks the arguments that a model chose for a tool.
 * @returns the arguments with which the tool can be called, or every problem that was found
 * @throws the reason of the signal once it aborts
 */
export type ArgumentCheck = (
  tool: ToolDescription,
  args: JsonObject,
  signal: AbortSignal,
) => Promise<{ readonly args: JsonObject } | { readonly problems: readonly ArgumentProblem[] }>;

/** Checks arguments against the parameters that the tool declares. */
export const checkDeclaredArguments: ArgumentCheck = async ({ parameters }, args) => {
  try {
    checkArguments(parameters, args, '');
    return { args };
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    const { field, message } = error.details as { field: string; message: string };
    return { problems: [{ pointer: field.replace('.', '/'), message }] };
  }
};
