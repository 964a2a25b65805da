import type { Dispatcher } from 'undici';
import type { Config } from '../settings/config';
import { PROVIDERS, type ProviderName } from '../contracts/http/llm';
import { HoldfastError } from '../base/errors';
import type * as OpenAi from '../llm/openai/openai-provider';
import type { ModelProviders } from '../llm/model-providers';
import type { LlmProvider } from '../llm/provider';
import { NO_RULES } from '../contracts/constants';

export type ProviderSettings = Pick<
  Config,
  | 'LLM_PROVIDER'
  | 'OPENAI_API_KEY'
  | 'OPENAI_BASE_URL'
  | 'OPENAI_MODEL'
  | 'LOCAL_LLM_BASE_URL'
  | 'LOCAL_LLM_MODEL'
  | 'LOCAL_LLM_API_KEY'
  | 'LLM_MAX_ATTEMPTS'
>;

type Configurable = Exclude<ProviderName, 'builtin'>;

/** The setting by which each provider becomes a configured one. */
const NEEDED_SETTING = { hosted: 'OPENAI_API_KEY', local: 'LOCAL_LLM_BASE_URL' } as const;

/** A key of characters that an HTTP header can carry. */
export const USABLE_KEY = /^[\x21-\x7e]+$/;

export interface ProviderOptions {
  /** Opens the connections to a local provider whose address a caller named. Default: connections without a policy. */
  readonly localDispatcher?: Dispatcher;
  /** Wraps each provider of a model. Default: none does. */
  readonly wrap?: WrapProvider | undefined;
}

/** The server behind a provider. */
export interface ModelServer {
  /** The address with the API version in it; absent: that of OpenAI. */
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** Whether a caller has named it and not the operator. */
  readonly isForeign: boolean;
}

/** Adds to a provider what its process knows and keeps of the server behind it. */
export type WrapProvider = (provider: LlmProvider, server: ModelServer) => LlmProvider;

/**
 * Creates the providers that the settings name. It connects to none of them.
 * @param builtin absent if the built-in rules are off or not installed
 * @throws HoldfastError `CONFIGURATION` if LLM_PROVIDER names one that is not configured, or a key is unusable
 */
export function createProviders(
  config: ProviderSettings,
  builtin: LlmProvider | undefined,
  { localDispatcher, wrap = (provider) => provider }: ProviderOptions = {},
): ModelProviders {
  const configured = new Map<ProviderName, LlmProvider>(builtin === undefined ? [] : [['builtin', builtin]]);
  for (const name of findConfigured(config)) {
    configured.set(name, createConfigured(name, config, localDispatcher, wrap));
  }
  const chosen = defaultProvider(config, builtin !== undefined);
  const list = (): readonly ProviderName[] => PROVIDERS.filter((name) => configured.has(name));

  function get(name: ProviderName): LlmProvider {
    const provider = configured.get(name);
    if (provider === undefined) throw notConfigured(name);
    return provider;
  }

  return {
    default: chosen,
    get,
    list,
    resolve(model) {
      const named = PROVIDERS.find((name) => name === model);
      const provider = get(named ?? chosen ?? 'builtin');
      if (model === undefined || named !== undefined) return { provider, model: provider.defaultModel };
      // Rules have no models to choose from; the result names them as the provider.
      if (provider.name === 'builtin') return { provider, model: provider.defaultModel };
      return { provider, model };
    },
  };
}

function createConfigured(
  name: Configurable,
  config: ProviderSettings,
  localDispatcher: Dispatcher | undefined,
  wrap: WrapProvider,
): LlmProvider {
  // Loading the client takes a while, and most processes call no model. It is not left to the first call, whose time
  // is limited.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { createOpenAiProvider } = require('../llm/openai/openai-provider') as typeof OpenAi;
  const maxAttempts = config.LLM_MAX_ATTEMPTS;
  const isHosted = name === 'hosted';
  const apiKey = readKey(isHosted ? 'OPENAI_API_KEY' : 'LOCAL_LLM_API_KEY', config);
  const baseUrl = isHosted ? config.OPENAI_BASE_URL : config.LOCAL_LLM_BASE_URL;
  const defaultModel = isHosted ? config.OPENAI_MODEL : config.LOCAL_LLM_MODEL;
  const dispatcher = isHosted ? undefined : localDispatcher;
  const provider = createOpenAiProvider({ name, defaultModel, apiKey, baseUrl, dispatcher, maxAttempts });
  return wrap(provider, { baseUrl, apiKey, isForeign: dispatcher !== undefined });
}

function readKey(
  setting: 'OPENAI_API_KEY' | 'LOCAL_LLM_API_KEY',
  config: ProviderSettings,
): string | undefined {
  const key = config[setting]?.trim();
  if (key === undefined || USABLE_KEY.test(key)) return key;
  throw new HoldfastError('CONFIGURATION', `The setting ${setting} has characters that no key has`);
}

function findConfigured(config: ProviderSettings): readonly Configurable[] {
  const names: Configurable[] = ['hosted', 'local'];
  return names.filter((name) => config[NEEDED_SETTING[name]] !== undefined);
}

/**
 * Chooses the provider for requests that name no provider, without creating it; undefined if no provider is
 * configured.
 * @param hasBuiltin whether the built-in rules are on and installed
 * @throws HoldfastError `CONFIGURATION` if LLM_PROVIDER names one that is not configured
 */
export function defaultProvider(config: ProviderSettings, hasBuiltin: boolean): ProviderName | undefined {
  const { LLM_PROVIDER: wanted } = config;
  const names: readonly ProviderName[] = [
    ...findConfigured(config),
    ...(hasBuiltin ? ['builtin' as const] : []),
  ];
  if (wanted === 'auto') return PROVIDERS.find((name) => names.includes(name));
  if (names.includes(wanted)) return wanted;
  if (wanted === 'builtin') {
    throw new HoldfastError('CONFIGURATION', `LLM_PROVIDER is builtin, but ${NO_RULES}`);
  }
  throw new HoldfastError(
    'CONFIGURATION',
    `LLM_PROVIDER is ${wanted}, so ${NEEDED_SETTING[wanted]} has to be set`,
  );
}

function notConfigured(name: ProviderName): HoldfastError {
  if (name === 'builtin') return noProvider();
  const setting = NEEDED_SETTING[name];
  return new HoldfastError(
    'MODEL_NOT_CONFIGURED',
    `The model provider "${name}" is not configured: set ${setting}`,
    { details: { provider: name, setting } },
  );
}

function noProvider(): HoldfastError {
  return new HoldfastError(
    'MODEL_NOT_CONFIGURED',
    `No language model was chosen, and ${NO_RULES}. Set OPENAI_API_KEY for a hosted model or LOCAL_LLM_BASE_URL for a ` +
      'local one, or PLAIN_ENGLISH to on.',
    { details: { provider: 'builtin', setting: 'PLAIN_ENGLISH' } },
  );
}
