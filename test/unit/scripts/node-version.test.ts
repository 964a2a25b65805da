import { ROOT } from '../../support/fixture-project';
import { runModule } from '../../support/run-module';

const check = (version?: string): Promise<unknown> =>
  runModule(
    ['setup/node-version.mjs'],
    `return scripts.checkNodeVersion(${JSON.stringify(ROOT)}${version === undefined ? '' : `, '${version}'`});`,
  ).result;

test('an older Node.js than the one that package.json demands is refused, with both versions', async () => {
  await expect(check('18.20.4')).rejects.toThrow(/Node\.js >=20\.19\.0 is needed, and this one is 18\.20\.4/);
  await expect(check('20.18.0')).rejects.toThrow('this one is 20.18.0');
  await check('20.19.0');
  await check('24.0.1');
  await check();
});
