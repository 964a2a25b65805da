import type { WorkflowStep } from '../http/workflows';
import type { ApprovalPolicy, StepApproval } from './approvals';
import type { ToolCall } from './tools';

const SAFE_METHODS: ReadonlySet<unknown> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a call may change something outside of the service. A remote tool can, and one of another worker, unless it is said to be
 * read-only, and so can a request by another method than GET, HEAD and OPTIONS. A sandboxed tool cannot, unless it was registered as
 * destructive, and neither can other built-in tools than `api_call`. Pure.
 */
export function isChanging({ toolName, args, implementation, annotations }: ToolCall): boolean {
  if (annotations?.destructive === true) return true;
  if (implementation.kind === 'mcp' || implementation.kind === 'external')
    return annotations?.readOnly !== true;
  if (annotations?.readOnly === true) return false;
  if (implementation.kind === 'http') return !isSafeMethod(implementation.method);
  if (implementation.kind !== 'builtin' || toolName !== 'api_call') return false;
  const { method = 'GET' } = args;
  return !isSafeMethod(method);
}

/** Whether a method of `api_call`, which need not be checked yet, is safe (RFC 9110 §9.2.1). Pure. */
export function isSafeMethod(method: unknown): boolean {
  return SAFE_METHODS.has(typeof method === 'string' ? method.toUpperCase() : method);
}

/** Whether a call has to be approved before it is made. Pure. */
export function needsApproval(call: ToolCall, { tools }: Pick<ApprovalPolicy, 'tools'>): boolean {
  if (call.requiresApproval === true || tools === 'all') return true;
  return tools === 'changing' ? isChanging(call) : tools.includes(call.toolName);
}

/**
 * Whether a call that a planner chose has to be approved, unless settings or request allow its tool: what a remote tool
 * changes is out of the service's reach, and a planner reads texts that anybody may have written. Pure.
 */
export function waitsWhenPlanned({
  implementation,
  annotations,
}: Pick<ToolCall, 'implementation' | 'annotations'>): boolean {
  return implementation.kind === 'mcp' && implementation.trusted !== true && annotations?.readOnly !== true;
}

/** The rule by which a step of a workflow waits for a person; undefined if it has none. Pure. */
export function approvalOf(step: WorkflowStep): StepApproval | undefined {
  if (step.approval === undefined) return undefined;
  return step.approval === true ? {} : step.approval;
}
