import fc from 'fast-check';
import type { PreparedStep } from '../../../src/contracts/runs/workflows';
import { chooseReused, type RerunChanges } from '../../../src/workflow-definitions/plan-rerun';

const step = (id: string, waitsFor: readonly string[] = [], more: object = {}): PreparedStep =>
  ({
    step: { id, type: 'tool_execution', config: { toolName: 'calculator', args: {} }, ...more },
    waitsFor,
    execution: {},
  }) as unknown as PreparedStep;
const args = (a: string): object => ({ config: { toolName: 'calculator', args: { a } } });
const changes = (more: Partial<Record<'inputs' | 'configured' | 'replaced', string[]>>, fromStep?: string) =>
  ({
    fromStep,
    inputs: new Set(more.inputs),
    configured: new Set(more.configured),
    replaced: new Set(more.replaced),
  }) satisfies RerunChanges;

const A = step('a', [], args('{{input.n}}'));
const B = step('b', ['a']);
const C = step('c', [], args('{{m}}'));
const D = step('d', ['b', 'c']);
const ALL = [A, B, C, D];
const DONE = new Set(['a', 'b', 'c', 'd']);

test.each<[string, string[], RerunChanges, ReadonlySet<string>?]>([
  ['nothing without a step to begin from', [], changes({})],
  ['all steps before it', ['a', 'b', 'c'], changes({}, 'd')],
  ['nothing that did not complete, nor what depends on it', ['c'], changes({}, 'd'), new Set(['b', 'c'])],
  ['nothing with another configuration, nor what depends on it', ['c'], changes({ configured: ['a'] }, 'd')],
  ['nothing whose result is given, nor what depends on it', ['a', 'c'], changes({ replaced: ['b'] }, 'd')],
  ['nothing that names an input that changed', ['c'], changes({ inputs: ['n'] }, 'd')],
  ['nothing that names it by its bare name', ['a', 'b'], changes({ inputs: ['m'] }, 'd')],
])('a rerun takes from the first run %s', (_, reused, changed, completed = DONE) => {
  expect(chooseReused(ALL, completed, changed)).toEqual(reused);
});

test('a step that is reused depends on no step that is not', () => {
  const graphs = fc.array(
    fc.record({ waits: fc.array(fc.nat(9)), isDone: fc.boolean(), isSet: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 10,
    },
  );
  fc.assert(
    fc.property(graphs, fc.nat(9), (graph, from) => {
      const steps = graph.map(({ waits }, at) =>
        step(
          `s${at}`,
          waits.filter((other) => other < at).map((other) => `s${other}`),
        ),
      );
      const idsOf = (pick: (one: (typeof graph)[number]) => boolean): string[] =>
        graph.flatMap((one, at) => (pick(one) ? [`s${at}`] : []));
      const completed = new Set(idsOf(({ isDone }) => isDone));
      const fromStep = `s${from % graph.length}`;
      const reused = chooseReused(
        steps,
        completed,
        changes({ configured: idsOf(({ isSet }) => isSet) }, fromStep),
      );
      expect(reused).not.toContain(fromStep);
      for (const id of reused) {
        expect(completed.has(id)).toBe(true);
        for (const other of steps.find((one) => one.step.id === id)?.waitsFor ?? [])
          expect(reused).toContain(other);
      }
    }),
  );
});
