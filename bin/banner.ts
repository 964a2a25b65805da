import type { Config } from '../src/settings/config';
import type { ProviderName } from '../src/contracts/http/llm';

export interface BannerFacts {
  readonly config: Config;
  /** The provider for requests that name no provider; undefined if no provider is configured. */
  readonly provider: ProviderName | undefined;
  readonly apiUrl: string;
  readonly recordsUrl: string;
  /** The address of the Temporal server; undefined if a profile of Temporal's own configuration has it. */
  readonly temporal: string | undefined;
  readonly uiUrl: string | undefined;
  /** Address of a Temporal server that cannot be reached yet. */
  readonly temporalMissing?: string;
}

/** Prints a few lines for a person at a terminal: what is where, and last the address of the API. */
export function printBanner({
  config,
  provider,
  apiUrl,
  recordsUrl,
  temporal,
  uiUrl,
  temporalMissing,
}: BannerFacts): void {
  const lines = [
    [
      'Temporal',
      `${temporal ?? 'as TEMPORAL_PROFILE says'}, UI ${uiUrl ?? 'unknown: set TEMPORAL_UI_URL to get links to runs in answers'}`,
    ],
    ['Records', `${recordsUrl}  (data: ${describeData(config)})`],
    ['Models', `${describeModels(config, provider)}; embeddings: ${describeEmbedder(config)}`],
  ];
  const body = lines.map(([name = '', text = '']) => `  ${name.padEnd(10)} ${text}\n`).join('');
  const title =
    temporalMissing === undefined
      ? 'holdfast is up at'
      : `holdfast answers, but Temporal at ${temporalMissing} is not connected yet: tools cannot run. It is at`;
  process.stdout.write(`${body}${title} ${apiUrl}  (${describePages(config, apiUrl)})\n`);
}

/** What a person opens in a browser. */
function describePages({ CONSOLE }: Config, apiUrl: string): string {
  const documentation = `documentation: ${apiUrl}/api-docs`;
  return CONSOLE === 'on' ? `console: ${apiUrl}/console, ${documentation}` : documentation;
}

/** What makes embeddings by the settings. Once its model is loaded, or cannot be had, a line of the log says so. */
export function describeEmbedder(config: Config): string {
  const { MEMORY_EMBEDDING_PROVIDER: provider, MEMORY_EMBEDDING_MODEL: model } = config;
  if (provider === 'lexical') return 'lexical';
  return provider === 'auto' ? `${model}, else lexical` : model;
}

function describeData({ DATA_DIR, neo4j, s3 }: Config): string {
  const values = s3 ? `, large values in bucket ${s3.bucket}` : '';
  return neo4j ? `Neo4j at ${neo4j.uri}, files in ${DATA_DIR}${values}` : `SQLite in ${DATA_DIR}${values}`;
}

export function describeModels(config: Config, provider: ProviderName | undefined): string {
  if (provider === undefined)
    return 'none: English in requests is not understood (set OPENAI_API_KEY, LOCAL_LLM_BASE_URL or PLAIN_ENGLISH=on)';
  if (provider === 'builtin')
    return 'builtin rules, no language model (set OPENAI_API_KEY or LOCAL_LLM_BASE_URL for one)';
  return `${provider} (${provider === 'hosted' ? config.OPENAI_MODEL : config.LOCAL_LLM_MODEL})`;
}
