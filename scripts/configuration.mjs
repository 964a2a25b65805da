// `npm run docs` writes docs/operators/configuration.md from the schema of the settings. The project has to be built before.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);

/** Returns the reference of all settings as Markdown. */
export function configurationPage() {
  const { SETTING_AREAS } = require('../dist/src/settings/schema.js');
  const lines = Object.entries(SETTING_AREAS).flatMap(([area, settings]) => [
    ...areaHead(area),
    ...Object.entries(settings).map(([name, schema]) => row(name, schema)),
  ]);
  return `# Configuration

Every setting is an environment variable. One that cannot be used ends the process with a line that names it. This page
is written from the schema in \`src/settings/\` by \`npm run docs\`; [running.md](running.md) says which of them matter for what.
${lines.join('\n')}

With \`TEMPORAL_ADDRESS\` or \`TEMPORAL_PROFILE\` set, Temporal's own variables for TLS and API keys
(\`TEMPORAL_TLS\`, \`TEMPORAL_TLS_CLIENT_CERT_PATH\`, \`TEMPORAL_API_KEY\`, …) are read as its SDK documents them.
`;
}

function row(name, schema) {
  const fallback = schema.safeParse(undefined).data;
  const shown = fallback === undefined || fallback === '' ? '' : `\`${fallback}\``;
  return `| \`${name}\` | ${shown} | ${schema.description} |`;
}

function areaHead(area) {
  return ['', `## ${area}`, '', '| setting | default | meaning |', '| --- | --- | --- |'];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../docs/operators/configuration.md', import.meta.url), configurationPage());
}
