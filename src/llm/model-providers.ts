import type { ProviderName } from '../contracts/http/llm';
import type { Config } from '../settings/config';
import type { LlmProvider } from './provider';

export interface ResolvedModel {
  readonly provider: LlmProvider;
  readonly model: string;
}

export interface ModelProviders {
  /** The provider of requests that name no model; absent if there is no provider at all. */
  readonly default: ProviderName | undefined;
  /** Throws `MODEL_NOT_CONFIGURED`, which names the setting, if the provider is not configured. */
  get(name: ProviderName): LlmProvider;
  /**
   * The provider and the model of a request for `model`. A provider's name means that provider and its default model;
   * any other name is a model of the default provider; without a name it is the default model of the default provider.
   * The builtin has no models and accepts any name. Throws `MODEL_NOT_CONFIGURED` as `get` does, and if there is no
   * provider at all.
   */
  resolve(model?: string): ResolvedModel;
  /** The configured providers. */
  list(): readonly ProviderName[];
}

/** Whether the default model draws facts from memories: the built-in rules do so in any case. Pure. */
export function drawsFactsByModel(
  { MEMORY_FACTS }: Pick<Config, 'MEMORY_FACTS'>,
  models: Pick<ModelProviders, 'default'>,
): boolean {
  return MEMORY_FACTS === 'model' && models.default !== undefined && models.default !== 'builtin';
}

/** The model that answers requests that name none; `none` if there is no provider at all. */
export function currentModel(models: Pick<ModelProviders, 'default' | 'resolve'>): string {
  return models.default === undefined ? 'none' : models.resolve().model;
}
