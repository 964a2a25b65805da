import type { Dispatcher } from 'undici';
import type { ProviderName } from '../../contracts/http/llm';

export interface OpenAiProviderOptions {
  readonly name: Exclude<ProviderName, 'builtin'>;
  readonly defaultModel: string;
  /** Absent: requests carry no key. */
  readonly apiKey: string | undefined;
  /** The address with the API version in it; absent: that of OpenAI. */
  readonly baseUrl: string | undefined;
  /** Opens the connections; absent: a separate dispatcher, which connects to any address. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Maximum number of attempts at a request that fails transiently, the first included. */
  readonly maxAttempts: number;
  /** The wait after the given attempt where the provider names none, milliseconds. Default: the delays of tools. */
  readonly retryDelayMs?: (attempt: number) => number;
}
