import { fillSteps } from '../../../src/workflow-definitions/fill-steps';
import { fetchStep } from './fixtures';

test('what failing steps insert counts towards the whole', () => {
  let inserted = 0;
  const text = 'x'.repeat(1_000_000);
  const inputs = {
    get text() {
      inserted += 1;
      return text;
    },
  };
  const body = `${'{{input.text}}'.repeat(8)}{{input.missing}}`;
  const steps = Array.from({ length: 50 }, (_, at) => fetchStep(`s${at}`, { body }));
  const problems = [...fillSteps(steps, inputs)];
  expect(problems[0]?.message).toContain('"missing"');
  expect(problems.at(-1)).toMatchObject({
    details: { step: 's8', message: 'the steps up to this one become too long with their inputs' },
  });
  expect(inserted).toBe(9 * 8);
});
