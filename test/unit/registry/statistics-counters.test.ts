import * as fc from 'fast-check';
import {
  NO_TOTALS,
  countOutcomes,
  toRecordedOutcome,
  toStatistics,
} from '../../../src/tools/statistics-counters';
import type { Counters, RecordedOutcome, Totals } from '../../../src/tools/statistics-counters';
import { NOW } from './fixtures';

const outcome = fc.record({
  success: fc.boolean(),
  micros: fc.integer({ min: 0, max: 60_000_000 }),
  finishedAt: fc.integer({ min: 0, max: 1_000 }).map((ms) => new Date(ms).toISOString()),
});

/** Keys that carry their tool, since a step always has the same one. */
const call = fc
  .tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 5 }), outcome)
  .map(([toolName, step, rest]): [string, RecordedOutcome] => [`${toolName}/${step}`, { toolName, ...rest }]);

/** The figures by counting all over again. */
function recount(recorded: ReadonlyMap<string, RecordedOutcome>): unknown {
  const all = [...recorded.values()];
  const executions = (name: string): number => all.filter(({ toolName }) => toolName === name).length;
  const byUse = ['a', 'b', 'c'].sort(
    (one, other) => executions(other) - executions(one) || (one < other ? -1 : 1),
  );
  const micros = all.reduce((sum, one) => sum + one.micros, 0);
  const successes = all.filter(({ success }) => success).length;
  return {
    totalExecutions: all.length,
    successfulExecutions: successes,
    failedExecutions: all.length - successes,
    averageExecutionTime: all.length === 0 ? 0 : Math.round(micros / all.length) / 1_000,
    mostUsedTool: all.length === 0 ? null : byUse[0],
  };
}

describe('counting outcomes', () => {
  it('gives the same figures as counting all over again, after any batches', () => {
    fc.assert(
      fc.property(fc.array(fc.array(call, { maxLength: 6 }), { maxLength: 8 }), (batches) => {
        let totals: Totals = NO_TOTALS;
        const tools = new Map<string, Counters>();
        const recorded = new Map<string, RecordedOutcome>();
        let last: string | null = null;
        for (const batch of batches) {
          const change = countOutcomes({ totals, tools, recorded }, new Map(batch));
          totals = change?.totals ?? totals;
          for (const [name, counters] of change?.tools ?? []) tools.set(name, counters);
          for (const [key, one] of change?.outcomes ?? []) recorded.set(key, one);
          for (const { finishedAt } of new Map(batch).values()) {
            if (last === null || finishedAt > last) last = finishedAt;
          }
        }
        expect(toStatistics(totals)).toEqual({ ...(recount(recorded) as object), lastExecution: last });
        for (const [name, { executions }] of tools) {
          expect(executions).toBe([...recorded.values()].filter(({ toolName }) => toolName === name).length);
        }
      }),
    );
  });

  it('changes nothing for outcomes that are known', () => {
    const known: RecordedOutcome = { toolName: 'a', success: true, micros: 5, finishedAt: '' };
    const recorded = new Map([['run/1', known]]);
    const snapshot = { totals: NO_TOTALS, tools: new Map<string, Counters>(), recorded };
    expect(countOutcomes(snapshot, new Map([['run/1', { ...known }]]))).toBeUndefined();
    expect(countOutcomes(snapshot, new Map())).toBeUndefined();
  });

  it('keeps a call under the tool it was first counted for', () => {
    const first: RecordedOutcome = { toolName: 'a', success: false, micros: 5, finishedAt: '' };
    const counters = { executions: 1, successes: 0, micros: 5 };
    const snapshot = {
      totals: { ...counters, mostUsed: { name: 'a', executions: 1 }, lastExecution: '' },
      tools: new Map([['a', counters]]),
      recorded: new Map([['run/1', first]]),
    };
    const change = countOutcomes(snapshot, new Map([['run/1', { ...first, toolName: 'b', success: true }]]));
    expect(change?.tools).toEqual(new Map([['a', { executions: 1, successes: 1, micros: 5 }]]));
    expect(change?.totals.mostUsed).toEqual({ name: 'a', executions: 1 });
  });

  it.each([
    [1.5, 1_500],
    [0.0004, 0],
    [0, 0],
    [-3, 0],
    [Number.NaN, 0],
    [Infinity, 0],
  ])('takes %d ms for %d µs', (executionTime, micros) => {
    const call = {
      runId: 'r',
      step: 's',
      toolName: 'a',
      success: true,
      finishedAt: 'some day',
      executionTime,
    };
    expect(toRecordedOutcome(call, NOW)).toEqual({
      toolName: 'a',
      success: true,
      micros,
      finishedAt: new Date(NOW).toISOString(),
    });
  });
});
