import type OpenAI from 'openai';
import type { Behaviour } from '../model-server';
import { sendJson } from '../stub-peer';

/** The model that keeps to the rules of OpenAI's reasoning models: the hosted default of suites. */
export const REASONING_MODEL = 'hosted-model';

/**
 * The refusal of a request that OpenAI's reasoning models do not take, which is one with the old name of the limit, or with
 * settings of sampling; undefined for any other request, and for other models.
 */
export function refusalOfReasoningModel(body: OpenAI.ChatCompletionCreateParams): Behaviour | undefined {
  if (body.model !== REASONING_MODEL) return undefined;
  if ((body as { readonly max_tokens?: unknown }).max_tokens != null)
    return refuse('max_tokens', 'unsupported_parameter', "Use 'max_completion_tokens' instead.");
  if (body.top_p != null) return refuse('top_p', 'unsupported_parameter', '');
  if (body.temperature == null || body.temperature === 1) return undefined;
  return refuse('temperature', 'unsupported_value', 'Only the default (1) value is supported.');
}

function refuse(param: string, code: string, advice: string): Behaviour {
  const message = `Unsupported: '${param}' is not supported with this model. ${advice}`;
  return (_request, response) =>
    sendJson(response, 400, { error: { message, type: 'invalid_request_error', param, code } });
}
