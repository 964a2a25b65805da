import { runModule } from '../../support/run-module';

const NEEDS: [args: string[], env: Record<string, string>, needed: boolean][] = [
  [[], {}, true],
  [[], { npm_lifecycle_event: 'prestart' }, true],
  [[], { npm_lifecycle_event: 'prestart', TEMPORAL_ADDRESS: 'there:7233' }, false],
  [[], { npm_lifecycle_event: 'prestart', TEMPORAL_PROFILE: 'cloud' }, false],
  [[], { npm_lifecycle_event: 'prestart', TEMPORAL_ADDRESS: '' }, true],
  [[], { npm_lifecycle_event: 'pretest', TEMPORAL_ADDRESS: 'there:7233' }, true],
  [[], { npm_lifecycle_event: 'prebench', TEMPORAL_PROFILE: 'cloud' }, true],
  [[], { npm_lifecycle_event: 'pretemporal', TEMPORAL_ADDRESS: 'there:7233' }, true],
  [[], { npm_lifecycle_event: 'preworker' }, false],
  [[], { npm_lifecycle_event: 'preapi' }, false],
  [[], { npm_lifecycle_event: 'prerecords' }, false],
  [['--temporal'], { npm_lifecycle_event: 'preapi' }, true],
  [['--no-temporal'], { npm_lifecycle_event: 'pretest' }, false],
];

test('a development server is provided for the scripts that run one', async () => {
  const cases = JSON.stringify(NEEDS);
  const { result } = runModule(
    ['setup/needs.mjs'],
    `return ${cases}.map(([args, env]) => [args, env, scripts.needsTemporalCli(args, env)]);`,
  );
  expect(await result).toEqual(NEEDS);
});
