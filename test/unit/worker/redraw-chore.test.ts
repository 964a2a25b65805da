import { redrawChore } from '../../../worker/redraw-chore';

test('a run is started for each tenant whose facts are of earlier rules, and for no other', async () => {
  const started: string[] = [];
  const chore = redrawChore({
    tenants: { list: () => Promise.resolve(['default', 'acme', 'new']) },
    isDue: (tenant) => Promise.resolve(tenant !== 'new'),
    start: ({ workflowType, workflowId }) => Promise.resolve(void started.push(workflowId, workflowType)),
  });
  expect(await chore.run(new AbortController().signal)).toBe(0);
  expect(started).toEqual(['redraw-facts', 'redrawFacts', '@acme/redraw-facts', 'redrawFacts']);
});
