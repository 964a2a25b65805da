import type { ToolCall } from '../../src/contracts/runs/tools';
import type { StoredTool } from '../../src/contracts/http/tools';
import { HoldfastError, validationError } from '../../src/base/errors';
import { refersToPreviousResult } from '../../src/templates/previous-result';
import { checkArguments } from '../../src/tools/arguments';
import { checkLiterals } from '../../src/tools/builtin/check-literals';
import { callMarks } from '../../src/tools/call-marks';
import type { ToolRegistry } from '../../src/tools/registry';

export interface RequestedCall {
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * Looks up the tool of a requested call and checks its arguments.
 * @throws HoldfastError `TOOL_NOT_FOUND`, `VALIDATION`
 */
export async function prepareCall(
  registry: ToolRegistry,
  request: RequestedCall,
  { mayPause = false }: { readonly mayPause?: boolean } = {},
): Promise<ToolCall> {
  const tool = await registry.get(request.toolName);
  if (tool === undefined) throw unknownTool(request.toolName);
  checkArguments(tool.parameters, request.args);
  checkLiterals(tool, request.args);
  return toCall(tool, request, mayPause);
}

export interface PrepareOptions {
  /** Whether the calls are a sequence, in which `{{previous_result}}` is resolved. */
  readonly sequence: boolean;
  /** Whether calls may be approved with other arguments, which are checked against the tools as they are now. */
  readonly mayPause?: boolean;
}

/**
 * Looks up all tools of a request and checks all arguments before any tool runs. In a sequence, arguments that refer to
 * the previous output are checked when they are resolved.
 * @throws HoldfastError `TOOL_NOT_FOUND`, `VALIDATION` naming the field, as in `tools[1].args.b`
 */
export async function prepareCalls(
  registry: ToolRegistry,
  requests: readonly RequestedCall[],
  { sequence, mayPause = false }: PrepareOptions,
): Promise<ToolCall[]> {
  const tools = await registry.getMany([...new Set(requests.map(({ toolName }) => toolName))]);
  return requests.map((request, index) => {
    const tool = tools.get(request.toolName);
    if (tool === undefined) throw unknownTool(request.toolName);
    const field = `tools[${index}].args`;
    const refers = sequence && refersToPreviousResult(request.args);
    if (refers && index === 0) {
      throw validationError(field, 'refers to {{previous_result}}, but no tool comes before the first');
    }
    const skip = refers ? { skip: refersToPreviousResult } : {};
    checkArguments(tool.parameters, request.args, field, skip);
    checkLiterals(tool, request.args, field, skip.skip);
    return toCall(tool, request, refers || mayPause);
  });
}

function toCall(tool: StoredTool, { args }: RequestedCall, isCheckedLater: boolean): ToolCall {
  const { name, implementation, parameters, requiresApproval } = tool;
  const needsParameters = isCheckedLater || requiresApproval === true;
  return {
    toolName: name,
    args,
    implementation,
    ...(needsParameters ? { parameters } : {}),
    ...callMarks(tool),
  };
}

export function unknownTool(name: string): HoldfastError {
  return new HoldfastError('TOOL_NOT_FOUND', `There is no tool named "${name}"`);
}
