import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type * as GenaiPrices from '@pydantic/genai-prices';
import type { ProviderName } from '../contracts/http/llm';
import type { ModelPrice } from '../contracts/runs/budgets';
import { parseJson } from '../base/json/parse';
import type { Config } from '../settings/config';

/** The settings by which the operator of a model is known. */
export type ProviderAddresses = Pick<Config, 'OPENAI_BASE_URL' | 'LOCAL_LLM_BASE_URL'>;

/** What the operators of public models publish of one. */
export interface KnownModel {
  /** The list price now. Of prices that grow with the prompt it is the lowest. */
  readonly price: ModelPrice;
  /** Tokens of prompt and answer together; absent if the operator does not say. */
  readonly contextTokens: number | undefined;
}

const PACKAGE = '@pydantic/genai-prices';
/** The version of the table, which is part of an installed package and is never fetched. */
export const KNOWN_MODELS_VERSION = `genai-prices ${readVersion()}`;

function readVersion(): string {
  const file = join(dirname(require.resolve(PACKAGE)), '..', 'package.json');
  return (parseJson(readFileSync(file, 'utf8')) as { version: string }).version;
}

/**
 * Finds a model in the table of public models.
 * @returns undefined for a model that the table does not have, and for a server that belongs to no operator in it: a name there
 * says nothing of what is behind it. A server behind `OPENAI_BASE_URL` that the table does not know counts as OpenAI's.
 */
export function findKnownModel(
  { provider, model }: { readonly provider: ProviderName; readonly model: string },
  { OPENAI_BASE_URL, LOCAL_LLM_BASE_URL }: ProviderAddresses,
): KnownModel | undefined {
  const address = provider === 'hosted' ? OPENAI_BASE_URL : LOCAL_LLM_BASE_URL;
  if (provider === 'builtin' || (provider === 'local' && address === undefined)) return undefined;
  // The table takes a while to load, and most processes need none of it.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { calcPrice, findProvider } = require(PACKAGE) as typeof GenaiPrices;
  const operator = address === undefined ? undefined : findProvider({ providerApiUrl: address });
  const providerId = operator?.id ?? (provider === 'hosted' ? 'openai' : undefined);
  const calculation = providerId === undefined ? null : calcPrice({}, model, { providerId });
  if (calculation === null) return undefined;
  const { input_mtok, cache_read_mtok, output_mtok } = calculation.model_price;
  const [input, output] = [perMillion(input_mtok), perMillion(output_mtok)];
  if (input === undefined || output === undefined) return undefined;
  const cachedInput = perMillion(cache_read_mtok);
  return {
    price: { input, cachedInput, output },
    contextTokens: calculation.model.context_window,
  };
}

function perMillion(price: GenaiPrices.ModelPrice[string]): number | undefined {
  return typeof price === 'object' ? price.base : price;
}
