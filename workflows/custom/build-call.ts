import type { ToolCall, ToolLimits } from '../../src/contracts/runs/tools';
import type { ChatResult } from '../../src/contracts/http/llm';
import { toInputSchema } from '../../src/contracts/http/tool-schemas';
import { shorten } from '../../src/contracts/json';
import { jsonLength } from '../../src/contracts/json-length';
import { approvalOf } from '../../src/contracts/runs/approval-needs';
import { summariseCall } from '../../src/contracts/runs/summaries';
import type { CallToApprove } from '../../src/contracts/runs/approvals';
import type { PreparedStep } from '../../src/contracts/runs/workflows';
import type { NameTest } from '../../src/contracts/credential-names';
import type { StepOutcome } from '../../src/contracts/http/workflows';
import { fillMessage } from '../../src/templates/fill-message';
import type { TemplateScope } from '../../src/templates/resolve';
import { buildArguments, estimateAll, toMessages } from '../../src/templates/step-arguments';
import { workflowReference, type WorkflowValues } from '../../src/templates/workflow-scope';
import type { BuiltCall, EstimatedCall } from '../steps/byte-budget';
import { isInlineCall } from '../../src/contracts/runs/calls';
import type { ModelCall } from '../steps/model-step';
import type { SharedResult } from '../steps/shared-steps';

/** The outcome of one call of a step, without its time. */
export type CallOutcome = Pick<
  StepOutcome,
  'result' | 'provider' | 'model' | 'usage' | 'finishReason' | 'logs'
> & {
  /** Milliseconds of the call alone; present if it ran in one activity with others. */
  readonly executionTime?: number;
};

/** What the calls of a step need of its run. */
export interface StepPorts {
  /** Runs a tool call under its name within the run. */
  runTool(call: ToolCall, name: string, limits: ToolLimits): Promise<SharedResult>;
  /** Asks a model under the call's name within the run. */
  askModel(call: ModelCall, name: string): Promise<ChatResult>;
  /**
   * Waits until a person approves the prompt of a model; undefined if the step needs no approval, or has it already.
   */
  readonly approve: ((prompt: CallToApprove, name: string) => Promise<CallToApprove>) | undefined;
}

/** What the arguments of an answer are checked against when a prompt is approved. */
const PROMPT_SCHEMA = toInputSchema({
  prompt: { type: 'string', description: 'What the model is asked', required: true },
  system: { type: 'string', description: 'Instructions for the model', required: false },
});

/**
 * Estimates how many characters of JSON a call sends, before its arguments are built.
 * @param answered the arguments of an answer, which replace those of the step
 */
export function estimateCall(
  { step, execution }: PreparedStep,
  values: WorkflowValues,
  answered?: ToolCall['args'],
): EstimatedCall {
  const carried = execution.kind === 'tool' ? jsonLength(execution.tool) : 0;
  if (answered !== undefined) return { length: carried + jsonLength(answered) };
  const { length, ...error } = estimateAll(step.config, values);
  return { length: carried + length, ...error };
}

/**
 * Builds what a person is asked to approve: the call of a tool, or a prompt, with the message of the step filled in.
 * @throws TemplateReferenceError from the arguments, and never from the message
 */
export function buildQuestion(
  prepared: PreparedStep,
  values: WorkflowValues,
  isCredential: NameTest,
): CallToApprove {
  const { execution, step } = prepared;
  const args = buildArguments(prepared, values);
  const callToApprove = execution.kind === 'tool' ? execution.tool : { inputSchema: PROMPT_SCHEMA };
  const message = approvalOf(step)?.message;
  if (message === undefined) return { ...callToApprove, args };
  const scope: TemplateScope = (expression) => workflowReference(expression, values);
  return { ...callToApprove, args, message: fillMessage(message, scope, { isCredential, args }) };
}

/**
 * Builds the call of a step, or of one item of a forEach step. Running it throws an ApplicationFailure as `runToolStep`
 * and `generateStep` do.
 * @param name the call's name within the run
 * @param answered the arguments of an answer, which replace those of the step
 * @throws TemplateReferenceError
 */
export function buildCall(
  prepared: PreparedStep,
  name: string,
  values: WorkflowValues,
  { runTool, askModel, approve }: StepPorts,
  answered?: ToolCall['args'],
): BuiltCall<CallOutcome> {
  const { execution, step } = prepared;
  const args = answered ?? buildArguments(prepared, values);
  if (execution.kind === 'tool') {
    const call = { ...execution.tool, args };
    return {
      length: jsonLength(call),
      isInline: isInlineCall(call),
      async run() {
        const { output, logs, executionTime, isShared } = await runTool(call, name, execution.limits);
        return {
          result: output,
          ...(logs ? { logs } : {}),
          ...(isShared === true ? { executionTime: Math.round(executionTime) } : {}),
        };
      },
    };
  }
  const { choice, limits } = execution;
  const schema = step.type === 'llm_call' ? step.config.schema : undefined;
  const messages = toMessages(args);
  return {
    length: jsonLength(messages),
    isInline: choice.provider === 'builtin',
    async run() {
      const approved =
        approve === undefined
          ? messages
          : toMessages((await approve({ args, inputSchema: PROMPT_SCHEMA }, name)).args);
      const answer = await askModel({ choice, limits, schema, messages: approved }, name);
      const { content, provider, model, usage, finishReason } = answer;
      return {
        result: 'value' in answer ? answer.value : content,
        provider,
        model,
        usage,
        ...(finishReason === 'length' ? { finishReason } : {}),
      };
    },
  };
}

/** Describes in one line what a step does, for the run's progress. */
export function describeStep({ step }: PreparedStep): string {
  switch (step.type) {
    case 'api_call':
      return summariseCall({ toolName: step.config.method ?? 'GET', args: { url: step.config.url } });
    case 'llm_call':
      return `llm_call ${shorten(step.config.prompt, 80)}`;
    case 'tool_execution':
      return summariseCall(step.config);
  }
}
