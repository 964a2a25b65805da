import type { ChatMessage } from '../contracts/http/llm';
import { schemaOf } from '../contracts/http/tool-schemas';
import type { ToolCall } from '../contracts/runs/tools';
import type { PreparedStep } from '../contracts/runs/workflows';
import { withQuery } from '../contracts/with-query';
import { resolveTemplates, TemplateReferenceError, type TemplateScope } from './resolve';
import { fitArguments, MAX_INSERTED } from './resolved-arguments';
import { type ResolvedLength, resolvedLength } from './resolved-length';
import { workflowReference, type WorkflowValues } from './workflow-scope';

/** Resolves every template in a value. @throws TemplateReferenceError */
export function resolveAll(value: unknown, values: WorkflowValues): unknown {
  return resolveTemplates(value, scopeOf(values), MAX_INSERTED);
}

/** Estimates how many characters of JSON a value has after `resolveAll`, without resolving it. */
export function estimateAll(value: unknown, values: WorkflowValues): ResolvedLength {
  return resolvedLength(value, scopeOf(values), MAX_INSERTED);
}

function scopeOf(values: WorkflowValues): TemplateScope {
  return (expression) => workflowReference(expression, values);
}

/** Builds the arguments of a tool, or the prompt of a model. @throws TemplateReferenceError */
export function buildArguments({ step, execution }: PreparedStep, values: WorkflowValues): ToolCall['args'] {
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
  if (value === null) throw new TemplateReferenceError(`config.${field}`, 'a text is needed, it is null');
  return asText(value);
}

function toolArguments(
  step: PreparedStep['step'],
  config: Record<string, unknown>,
  tool: Omit<ToolCall, 'args'>,
): ToolCall['args'] {
  if (step.type === 'api_call') return apiCallArguments(config);
  const written = step.type === 'tool_execution' ? step.config.args : {};
  return fitArguments(config['args'] as ToolCall['args'], written, schemaOf(tool));
}

/** Builds the messages of a model's prompt. */
export function toMessages({ prompt, system }: Readonly<Record<string, unknown>>): ChatMessage[] {
  return [
    ...(system === undefined ? [] : [{ role: 'system' as const, content: asText(system) }]),
    { role: 'user' as const, content: asText(prompt) },
  ];
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
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
