import { configuredProviders } from '../api/health/health-check';
import type { Config } from '../src/config';

export interface BannerFacts {
  readonly config: Config;
  readonly apiUrl: string;
  readonly recordsUrl: string;
  readonly uiUrl: string | undefined;
}

/** What is where, for a person at a terminal, and one call to try. */
export function printBanner({ config, apiUrl, recordsUrl, uiUrl }: BannerFacts): void {
  const providers = configuredProviders(config);
  const lines = [
    ['API', `${apiUrl}  (documentation: ${apiUrl}/api-docs)`],
    ['Records', recordsUrl],
    ['Temporal UI', uiUrl ?? 'set TEMPORAL_UI_URL to have links in answers'],
    ['Data', `${config.DATA_DIR}  (store: SQLite)`],
    ['Models', providers.length > 0 ? providers.join(', ') : 'none configured'],
  ];
  const body = lines.map(([name = '', text = '']) => `  ${name.padEnd(12)} ${text}`).join('\n');
  process.stdout.write(`
holdfast is up

${body}

Try:
  curl -s ${apiUrl}/api/tools/execute -H 'Content-Type: application/json' \\
    -d '{"toolName":"calculator","args":{"operation":"multiply","a":6,"b":7}}'

`);
}
