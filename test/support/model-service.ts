import type OpenAI from 'openai';
import { type ModelRequest, type ModelServer, type ScriptedCall, startModelServer } from './model-server';
import { REASONING_MODEL, refusalOfReasoningModel } from './model-servers/reasoning-model';
import { type Service, type SharedService, startService } from './service';

export const HOSTED_KEY = 'sk-test-hosted-0123456789abcdef';
export const LOCAL_KEY = 'local-key-0123456789abcdef';

/**
 * A service with a hosted and a local provider, each a scripted server; hosted is the default, and its default model keeps
 * to the rules of reasoning models.
 */
export interface ModelService extends SharedService {
  readonly hosted: ModelServer;
  readonly local: ModelServer;
}

/** Settings that make a scripted server the hosted provider. */
export function hostedBy({ url }: Pick<ModelServer, 'url'>): Record<string, string> {
  return { OPENAI_API_KEY: HOSTED_KEY, OPENAI_BASE_URL: url, OPENAI_MODEL: REASONING_MODEL };
}

/** Settings that make a scripted server the local provider. */
export function localBy({ url }: Pick<ModelServer, 'url'>): Record<string, string> {
  return { LOCAL_LLM_API_KEY: LOCAL_KEY, LOCAL_LLM_BASE_URL: url, LOCAL_LLM_MODEL: 'local-model' };
}

/** One that no other suite uses. */
export type OwnModelService = ModelService & Service;

export function startModelService(env: Readonly<Record<string, string>> = {}): Promise<OwnModelService> {
  return withModelServers((hosted, local) =>
    startService({ ...hostedBy(hosted), ...localBy(local), ...env }),
  );
}

/** Starts a service with two scripted servers, which are closed after the service. */
export async function withModelServers<T extends SharedService>(
  start: (hosted: ModelServer, local: ModelServer) => Promise<T>,
): Promise<T & ModelService> {
  const [hosted, local] = await Promise.all([
    startModelServer({ refusalOf: refusalOfReasoningModel }),
    startModelServer(),
  ]);
  const closeModels = () => Promise.all([hosted.close(), local.close()]);
  try {
    const service = await start(hosted, local);
    return {
      ...service,
      hosted,
      local,
      async stop() {
        await service.stop();
        await closeModels();
      },
    };
  } catch (error) {
    await closeModels();
    throw error;
  }
}

/** A model's call of the calculator. */
export function calculates(operation: string, a: unknown, b: unknown): ScriptedCall {
  return { name: 'calculator', args: { operation, a, b } };
}

/** A model's call of api_call. */
export function fetches(url: string, more: object = {}): ScriptedCall {
  return { name: 'api_call', args: { url, ...more } };
}

/** The outcomes of calls as a model receives them, as texts in order. */
export function outcomesIn(request: ModelRequest | undefined): string[] {
  const messages = request?.body.messages ?? [];
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
}

/** Names of the functions that a model is offered. */
export function offeredIn(request: ModelRequest | undefined): string[] {
  return (request?.body.tools ?? []).map((tool) => (tool as OpenAI.ChatCompletionFunctionTool).function.name);
}

export function usage(promptTokens: number, completionTokens: number) {
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
}
