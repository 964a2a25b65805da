import type { ToolCall, ToolLimits } from '../../src/contracts/runs/tools';
import type { ChatMessage, ChatResult } from '../../src/contracts/http/llm';
import { schemaOf, toInputSchema } from '../../src/contracts/http/tool-schemas';
import { shorten } from '../../src/contracts/json';
import { jsonLength } from '../../src/contracts/json-length';
import { approvalOf } from '../../src/contracts/runs/approval-needs';
import { summariseCall } from '../../src/contracts/runs/summaries';
import type { CallToApprove } from '../../src/contracts/runs/approvals';
import type { PreparedStep } from '../../src/contracts/runs/workflows';
import type { NameTest } from '../../src/contracts/credential-names';
import type { StepOutcome } from '../../src/contracts/http/workflows';
import { type ResolvedLength, resolvedLength } from '../../src/templates/resolved-length';
import { fillMessage } from '../../src/templates/fill-message';
import { withKnownForms } from '../../src/templates/known-forms';
import { resolveTemplates, TemplateReferenceError, type TemplateScope } from '../../src/templates/resolve';
import { workflowReference, type WorkflowValues } from '../../src/templates/workflow-scope';
import type { BuiltCall, EstimatedCall } from '../steps/byte-budget';
import { keepsNull } from '../steps/keeps-null';
import { readsAllTemplates } from '../steps/reads-all-templates';
import { isInlineCall } from '../../src/contracts/runs/inline-calls';
import type { ModelCall } from '../steps/model-step';
import { fitArguments, MAX_INSERTED } from '../../src/templates/resolved-arguments';
import type { SharedResult } from '../steps/shared-steps';
import { withQuery } from '../../src/contracts/with-query';

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

/** Resolves every template in a value. @throws TemplateReferenceError */
export function resolveAll(value: unknown, values: WorkflowValues): unknown {
  return resolveTemplates(value, scopeOf(values), MAX_INSERTED);
}

/** Estimates how many characters of JSON a value has after `resolveAll`, without resolving it. */
export function estimateAll(value: unknown, values: WorkflowValues): ResolvedLength {
  return resolvedLength(value, scopeOf(values), MAX_INSERTED);
}

function scopeOf(values: WorkflowValues): TemplateScope {
  return withKnownForms((expression) => workflowReference(expression, values), readsAllTemplates);
}

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
  const asked = execution.kind === 'tool' ? execution.tool : { inputSchema: PROMPT_SCHEMA };
  const message = approvalOf(step)?.message;
  if (message === undefined) return { ...asked, args };
  const scope: TemplateScope = (expression) => workflowReference(expression, values);
  return { ...asked, args, message: fillMessage(message, scope, { isCredential, args }) };
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

/** Builds the arguments of a tool, or the prompt of a model. @throws TemplateReferenceError */
function buildArguments({ step, execution }: PreparedStep, values: WorkflowValues): ToolCall['args'] {
  const config = resolveAll(step.config, values) as Record<string, unknown>;
  if (execution.kind === 'tool') return toolArguments(step, config, execution.tool);
  return {
    prompt: promptText(config, 'prompt'),
    ...(config['system'] === undefined ? {} : { system: promptText(config, 'system') }),
  };
}

/** @throws TemplateReferenceError if a template gave `null` */
function promptText(config: Readonly<Record<string, unknown>>, field: 'prompt' | 'system'): string {
  const value = config[field];
  if (value === null && keepsNull())
    throw new TemplateReferenceError(`config.${field}`, 'a text is needed, it is null');
  return asText(value);
}

function toolArguments(
  step: PreparedStep['step'],
  config: Record<string, unknown>,
  tool: Omit<ToolCall, 'args'>,
): ToolCall['args'] {
  if (step.type === 'api_call') return apiCallArguments(config);
  const written = step.type === 'tool_execution' ? step.config.args : {};
  return fitArguments(config['args'] as ToolCall['args'], written, schemaOf(tool), keepsNull);
}

function toMessages({ prompt, system }: Readonly<Record<string, unknown>>): ChatMessage[] {
  return [
    ...(system === undefined ? [] : [{ role: 'system' as const, content: asText(system) }]),
    { role: 'user' as const, content: asText(prompt) },
  ];
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
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

/**
 * Builds the arguments of the api_call tool from the configuration of an api_call step whose templates are resolved:
 * `params` become part of the URL, and the method is written in capitals. Values of a wrong type are passed on, for the
 * tool to reject.
 * @throws TemplateReferenceError if `params` is not an object
 */
export function apiCallArguments(config: Readonly<Record<string, unknown>>): ToolCall['args'] {
  const { params, ...rest } = config;
  const { url, method } = rest;
  return {
    ...rest,
    url: typeof url === 'string' ? withQuery(url, asObject(params)) : url,
    ...(typeof method === 'string' ? { method: method.toUpperCase() } : {}),
  };
}

function asObject(params: unknown): object {
  if (typeof params === 'object' && !Array.isArray(params)) return params ?? {};
  if (params === undefined) return {};
  const kind = Array.isArray(params) ? 'array' : typeof params;
  throw new TemplateReferenceError('config.params', `an object is needed, it is of type ${kind}`);
}
