import type { Dispatcher } from 'undici';
import { HoldfastError } from '../../base/errors';
import { createProviders, type ProviderSettings, type WrapProvider } from '../../factories/create-providers';
import type { ModelProviders } from '../../llm/model-providers';
import type { LlmProvider } from '../../llm/provider';
import type { SecretBox } from '../../secrets/secret-box';
import type { TenantDocuments } from '../../stores/documents';

/** The settings of an initialization; for those that it leaves out the service's configuration applies. */
export interface IntentSettings {
  readonly hostedApiKey?: string | undefined;
  readonly hostedModel?: string | undefined;
  readonly localBaseUrl?: string | undefined;
}

export interface IntentInitializationPorts {
  readonly documents: TenantDocuments;
  readonly secrets: SecretBox;
  readonly settings: ProviderSettings;
  /** The provider of the built-in rules; absent if they are off or not installed. */
  readonly builtin: LlmProvider | undefined;
  /** As in `ProviderOptions`. */
  readonly wrap?: WrapProvider | undefined;
  /** The dispatcher for connections to an address that a caller named; `allowPrivate` permits private addresses. */
  readonly dispatcher: (allowPrivate: boolean) => Dispatcher;
}

/** The state of the classifier, one for all processes. All methods throw `STORE_UNAVAILABLE` (retryable). */
export interface IntentInitialization {
  /** Replaces the settings of an earlier initialization. It connects to no provider. */
  initialize(settings: IntentSettings): Promise<void>;
  /**
   * The providers that a classification may ask, with one attempt for each call and no fallback, because the
   * classification has its own attempts and fallback.
   * @param allowPrivate whether a provider that a caller named may be at a private or loopback address. Default false
   * @throws HoldfastError `INTENT_NOT_INITIALIZED` before the first initialization
   */
  providers(allowPrivate?: boolean): Promise<ModelProviders>;
}

/** The stored settings, with a sealed key. */
interface StoredSettings extends Omit<IntentSettings, 'hostedApiKey'> {
  readonly sealedKey?: string;
  /** ISO 8601 */
  readonly initializedAt: string;
}

const COLLECTION = 'service-state';
const KEY = 'intent-classifier';
const SECRET = 'intent-classifier.hostedApiKey';

export function createIntentInitialization(ports: IntentInitializationPorts): IntentInitialization {
  const { documents, secrets } = ports;
  const known = new Map<boolean, { readonly version: number; readonly providers: ModelProviders }>();

  return {
    async initialize({ hostedApiKey, ...settings }) {
      const value: StoredSettings = {
        ...settings,
        sealedKey: hostedApiKey && secrets.seal(hostedApiKey, SECRET),
        initializedAt: new Date().toISOString(),
      };
      await documents.write([{ type: 'put', collection: COLLECTION, key: KEY, value }]);
    },
    async providers(allowPrivate = false) {
      const stored = await documents.get<StoredSettings>(COLLECTION, KEY);
      if (stored === undefined) throw notInitialized();
      const before = known.get(allowPrivate);
      if (before?.version === stored.version) return before.providers;
      const { sealedKey, ...settings } = stored.value;
      const hostedApiKey = sealedKey === undefined ? undefined : secrets.open(sealedKey, SECRET);
      const providers = buildProviders(ports, { ...settings, hostedApiKey }, ports.dispatcher(allowPrivate));
      known.set(allowPrivate, { version: stored.version, providers });
      return providers;
    },
  };
}

/**
 * Creates providers in which a caller's settings override the configured ones. A configured key is never sent to an
 * address that a caller named.
 */
function buildProviders(
  { settings, builtin, wrap }: IntentInitializationPorts,
  { hostedApiKey, hostedModel, localBaseUrl }: IntentSettings,
  localDispatcher: Dispatcher,
): ModelProviders {
  const named = hostedApiKey !== undefined || localBaseUrl !== undefined;
  return createProviders(
    {
      ...settings,
      ...(named ? { LLM_PROVIDER: hostedApiKey === undefined ? 'local' : 'hosted' } : {}),
      ...(hostedApiKey === undefined ? {} : { OPENAI_API_KEY: hostedApiKey }),
      ...(hostedModel === undefined ? {} : { OPENAI_MODEL: hostedModel }),
      ...(localBaseUrl === undefined
        ? {}
        : { LOCAL_LLM_BASE_URL: localBaseUrl, LOCAL_LLM_API_KEY: undefined }),
      LLM_MAX_ATTEMPTS: 1,
    },
    builtin,
    { wrap, localDispatcher: localBaseUrl === undefined ? undefined : localDispatcher },
  );
}

function notInitialized(): HoldfastError {
  return new HoldfastError(
    'INTENT_NOT_INITIALIZED',
    'Call POST /api/intent-classifier/initialize first; an empty body takes the configured model provider',
  );
}
