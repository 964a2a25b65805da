import { runModule } from '../../support/run-module';

const main = (body: string): Promise<unknown> =>
  runModule(['setup/errors.mjs'], `await scripts.runMain(() => { ${body} });`).result;

test.each([
  ['EACCES', 'permission denied', 'Run this as the user to whom it belongs.'],
  ['ENOSPC', 'no space left on device', 'Make room on the disk, then try again.'],
])('a file that fails with %s is named in one line, with what to do', async (code, reason, advice) => {
  const message = `${code}: ${reason}, open '/srv/holdfast/dist/.setup.lock'`;
  const thrown = `throw Object.assign(new Error(${JSON.stringify(message)}), { code: '${code}' });`;
  await expect(main(thrown)).rejects.toThrow(
    new Error(`ended with 1: The set-up failed: ${message}. ${advice}\n`),
  );
});

test('an error of the scripts themselves has its stack trace', async () => {
  await expect(main(`throw new TypeError('broken script');`)).rejects.toThrow(
    /TypeError: broken script\n +at /,
  );
});
