import type { ToolCall } from '../src/contracts/runs/tools';
import type { StoredTool } from '../src/contracts/http/tools';
import { HoldfastError, validationError } from '../src/base/errors';
import { refersToPreviousResult } from '../src/templates/previous-result';
import { checkAll } from '../src/tools/all-problems';
import type { ArgumentCheck } from '../src/tools/argument-check';
import { checkedArguments } from '../src/tools/argument-problems';
import { checkLiterals } from '../src/tools/builtin/check-literals';
import { callMarks } from '../src/tools/call-marks';
import type { ToolRegistry } from '../src/tools/registry';

/** What the preparation of calls needs. */
export interface CallPorts {
  readonly registry: Pick<ToolRegistry, 'get' | 'getMany'>;
  readonly check: ArgumentCheck;
  readonly signal: AbortSignal;
}

export interface RequestedCall {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * Looks up the tool of a requested call, and checks its arguments and adds the defaults of those that are left out.
 * @throws HoldfastError `TOOL_NOT_FOUND`, `VALIDATION`, as `ArgumentCheck` does
 */
export async function prepareCall(
  { registry, check, signal }: CallPorts,
  request: RequestedCall,
  { mayPause = false }: { readonly mayPause?: boolean } = {},
): Promise<ToolCall> {
  const tool = await registry.get(request.toolName);
  if (tool === undefined) throw unknownTool(request.toolName);
  const args = await checkedArguments(check, tool, request.args, signal);
  checkLiterals(tool, args);
  return toCall(tool, args, mayPause);
}

export interface PrepareOptions {
  /** Whether the calls are a sequence, in which `{{previous_result}}` is resolved. */
  readonly sequence: boolean;
  /** Whether calls may be approved with other arguments, which are checked against the tools as they are now. */
  readonly mayPause?: boolean;
  /** Calls that are not made, by their index. They stay as they are, even if their tools are gone. */
  readonly kept?: ReadonlyMap<number, ToolCall>;
}

/**
 * Looks up all tools of a request and checks all arguments before any tool runs. In a sequence, arguments that refer to
 * the previous output are checked when they are resolved.
 * @throws HoldfastError `TOOL_NOT_FOUND`, `VALIDATION` naming the first field, as in `tools[1].args.b`, with the problems of all calls
 */
export async function prepareCalls(
  { registry, check, signal }: CallPorts,
  requests: readonly RequestedCall[],
  { sequence, mayPause = false, kept }: PrepareOptions,
): Promise<ToolCall[]> {
  const tools = await registry.getMany([...new Set(requests.map(({ toolName }) => toolName))]);
  return checkAll(requests, async (request, index) => {
    const former = kept?.get(index);
    if (former !== undefined) return former;
    const tool = tools.get(request.toolName);
    if (tool === undefined) throw unknownTool(request.toolName);
    const field = `tools[${index}].args`;
    const refers = sequence && refersToPreviousResult(request.args);
    if (refers && index === 0) {
      throw validationError(field, 'refers to {{previous_result}}, but no tool comes before the first');
    }
    const skip = refers ? { skip: refersToPreviousResult } : {};
    const args = await checkedArguments(check, tool, request.args, signal, field, skip);
    checkLiterals(tool, args, field, skip.skip);
    return toCall(tool, args, refers || mayPause);
  });
}

function toCall(tool: StoredTool, args: ToolCall['args'], isCheckedLater: boolean): ToolCall {
  const { name, implementation, inputSchema, requiresApproval } = tool;
  const needsSchema = isCheckedLater || requiresApproval === true;
  return {
    toolName: name,
    args,
    implementation,
    ...(needsSchema ? { inputSchema } : {}),
    ...callMarks(tool),
  };
}

export function unknownTool(name: string): HoldfastError {
  return new HoldfastError('TOOL_NOT_FOUND', `There is no tool named "${name}"`);
}
