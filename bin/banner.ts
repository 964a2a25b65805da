import { configuredProviders } from '../api/health/health-check';
import type { Config } from '../src/config';

export interface BannerFacts {
  readonly config: Config;
  readonly apiUrl: string;
  readonly recordsUrl: string;
  readonly uiUrl: string | undefined;
  /** Address of a Temporal server that is not there yet. */
  readonly temporalMissing?: string;
}

/** What is where, for a person at a terminal, and one call to try. */
export function printBanner({ config, apiUrl, recordsUrl, uiUrl, temporalMissing }: BannerFacts): void {
  const providers = configuredProviders(config);
  const lines = [
    ['API', `${apiUrl}  (documentation: ${apiUrl}/api-docs)`],
    ['Records', recordsUrl],
    ['Temporal UI', uiUrl ?? 'set TEMPORAL_UI_URL to have links in answers'],
    ['Data', `${config.DATA_DIR}  (store: SQLite)`],
    ['Models', providers.length > 0 ? providers.join(', ') : 'none configured'],
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
