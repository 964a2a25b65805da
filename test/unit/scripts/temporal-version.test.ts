import { runModule } from '../../support/run-module';

const VERSIONS: [text: string, fault: string | null][] = [
  ['temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)', null],
  ['temporal version 1.5.0', null],
  ['temporal version 2.0.0 (Server 2.1.0, UI 3.0.0)', null],
  ['a warning first\ntemporal version 1.10.0 (Server 1.31.0, UI 2.50.0)\n', null],
  ['temporal version 0.0.0-DEV (Server 1.29.1, UI 2.42.1)', null],
  ['temporal version 1.4.9 (Server 1.28.0, UI 2.40.0)', 'is version 1.4.9, and 1.5 or later is needed'],
  ['temporal version 0.13.2', 'is version 0.13.2, and 1.5 or later is needed'],
  [
    'temporal version 0.0.0-DEV (Server 1.28.9, UI 2.4.1)',
    'holds server 1.28.9, and 1.29 or later is needed',
  ],
  ['temporal version 0.0.0-DEV', 'holds server unknown, and 1.29 or later is needed'],
  ['temporal version odd', 'is version odd, and 1.5 or later is needed'],
  ['tctl version 1.18.0', 'is not the Temporal CLI'],
  ['', 'is not the Temporal CLI'],
];

test('a binary is judged by its version, and one built from source by its server', async () => {
  const texts = JSON.stringify(VERSIONS.map(([text]) => text));
  const { result } = runModule(
    ['setup/temporal-version.mjs'],
    `return ${texts}.map((text) => [text, scripts.findVersionFault(text) ?? null]);`,
  );
  expect(await result).toEqual(VERSIONS);
});
