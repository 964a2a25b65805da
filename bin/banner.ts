import type { Config } from '../src/settings/config';
import type { ProviderName } from '../src/contracts/http/llm';

export interface BannerFacts {
  readonly config: Config;
  /** The provider for requests that name no provider; undefined where no provider is configured. */
  readonly provider: ProviderName | undefined;
  readonly apiUrl: string;
  readonly recordsUrl: string;
  readonly uiUrl: string | undefined;
  /** Names of the processes, where there are several. */
  readonly processes?: readonly string[];
  /** Address of a Temporal server that cannot be reached yet. */
  readonly temporalMissing?: string;
}

/** Prints addresses, stores and models, and one call to try, for a person at a terminal. */
export function printBanner({
  config,
  provider,
  apiUrl,
  recordsUrl,
  uiUrl,
  processes,
  temporalMissing,
}: BannerFacts): void {
  const lines = [
    ['API', `${apiUrl}  (documentation: ${apiUrl}/api-docs)`],
    ['Records', recordsUrl],
    ['Temporal UI', uiUrl ?? 'set TEMPORAL_UI_URL to get links to runs in answers'],
    ['Data', describeData(config)],
    ['Models', describeModels(config, provider)],
    ...(processes === undefined ? [] : [['Processes', processes.join(', ')]]),
  ];
  const body = lines.map(([name = '', text = '']) => `  ${name.padEnd(12)} ${text}`).join('\n');
  const title =
    temporalMissing === undefined
      ? 'holdfast is up'
      : `holdfast answers, but Temporal at ${temporalMissing} is not connected yet: tools cannot run`;
  process.stdout.write(`
${title}

${body}

Try:
  curl -s ${apiUrl}/api/tools/execute -H 'Content-Type: application/json' \\
    -d '{"toolName":"calculator","args":{"operation":"multiply","a":6,"b":7}}'

`);
}

function describeData({ DATA_DIR, neo4j, s3 }: Config): string {
  const values = s3 ? `, large values in bucket ${s3.bucket}` : '';
  return neo4j
    ? `Neo4j at ${neo4j.uri}, files in ${DATA_DIR}${values}`
    : `${DATA_DIR}  (store: SQLite${values})`;
}

function describeModels(config: Config, provider: ProviderName | undefined): string {
  if (provider === undefined)
    return 'none: English in requests is not understood (set OPENAI_API_KEY, LOCAL_LLM_BASE_URL or PLAIN_ENGLISH=on)';
  if (provider === 'builtin')
    return 'builtin rules, no language model (set OPENAI_API_KEY or LOCAL_LLM_BASE_URL for one)';
  return `${provider} (${provider === 'hosted' ? config.OPENAI_MODEL : config.LOCAL_LLM_MODEL})`;
}
