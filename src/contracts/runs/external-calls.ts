import { MAX_NESTING, nestsDeeperThan } from '../../base/json/bounds';
import { toWellFormedValue } from '../../base/text/well-formed';
import type { ExternalImplementation } from '../http/tools';
import type { ToolCall, ToolLimits } from './tools';

/** The workflow that makes a call of a tool of another worker. */
export const EXTERNAL_CALL_TYPE = 'callExternal';

/** Metadata of a value that stays in its message, because another worker cannot read the store of values. */
export const PLAIN = 'holdfast-plain';

/** A value for another worker: plain JSON within the message, whatever its size. Workflows alone convert it. */
export class PlainValue {
  constructor(readonly value: unknown) {}
}

/** A value of another worker in an encoding that this service does not read, such as one that is encrypted. Workflows alone have it. */
export class UnreadValue {
  constructor(readonly encoding: string) {}
}

/** Longest arguments of such a call, bytes of JSON. The engine takes no message above 2 MB. */
export const MAX_EXTERNAL_BYTES = 1_048_576;

/** A call of a tool that another worker runs. */
export interface ExternalCall extends ToolCall {
  readonly implementation: ExternalImplementation;
}

/** Input of that workflow. */
export interface ExternalCallInput {
  /** Name of the call within the run that makes it. */
  readonly step: string;
  readonly call: ExternalCall;
  readonly limits: ToolLimits;
}

/** Whether another worker runs the tool of a call. Pure. */
export function isExternal(call: ToolCall): call is ExternalCall {
  return call.implementation.kind === 'external';
}

/**
 * The arguments of an activity or a workflow: one object, or one by one in the order of the parameters; one that was left out is
 * null, or nothing if no other follows. Pure.
 */
export function toExternalArguments({ args, implementation: { order } }: ExternalCall): unknown[] {
  if (order === undefined) return [args];
  const last = order.findLastIndex((name) => Object.hasOwn(args, name));
  return order.slice(0, last + 1).map((name) => (Object.hasOwn(args, name) ? args[name] : null));
}

/**
 * Reads what another worker returned.
 * @param maxBytes of its JSON (MAX_RESULT_BYTES)
 * @returns the value without lone surrogates, or why it cannot be a result. Pure.
 */
export function readExternalResult(
  result: unknown,
  maxBytes: number,
): { readonly output: unknown } | { readonly problem: string } {
  if (result instanceof UnreadValue)
    return { problem: `The result has the encoding "${result.encoding}", which is not read: return JSON` };
  if (result instanceof Uint8Array) return { problem: 'The result is bytes: return JSON' };
  const output = toWellFormedValue(result ?? null);
  const bytes = bytesOf(output);
  if (bytes > maxBytes)
    return { problem: `The result is ${bytes} bytes; the limit is ${maxBytes} (MAX_RESULT_BYTES)` };
  if (nestsDeeperThan(JSON.stringify(output), MAX_NESTING))
    return { problem: `The result is nested deeper than ${MAX_NESTING} levels` };
  return { output };
}

/** The bytes of a value as JSON. Pure. */
export function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
