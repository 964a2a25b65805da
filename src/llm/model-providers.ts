import type { ProviderName } from '../contracts/http/llm';
import type { LlmProvider } from './provider';

export interface ResolvedModel {
  readonly provider: LlmProvider;
  readonly model: string;
}

export interface ModelProviders {
  /** Who answers requests that name no model; absent where there is no provider at all. */
  readonly default: ProviderName | undefined;
  /** Throws `MODEL_NOT_CONFIGURED`, naming the setting, for one that is not configured. */
  get(name: ProviderName): LlmProvider;
  /**
   * Who answers a request for `model`: a provider's name means that provider and its default model, any other
   * name a model of the default provider, none the default of both. The builtin has no models and takes any name.
   * Throws `MODEL_NOT_CONFIGURED` as `get`, and where there is no provider at all.
   */
  resolve(model?: string): ResolvedModel;
  /** The configured ones. */
  list(): readonly ProviderName[];
}

/** The model that answers requests that name none; `none` where there is no provider at all. */
export function currentModel(models: Pick<ModelProviders, 'default' | 'resolve'>): string {
  return models.default === undefined ? 'none' : models.resolve().model;
}
