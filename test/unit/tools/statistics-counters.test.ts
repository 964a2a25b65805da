import * as fc from 'fast-check';
import {
  addShards,
  type Counters,
  countOutcomes,
  NO_TOTALS,
  type RecordedOutcome,
  type ToolShard,
  toRecordedOutcome,
  toStatistics,
  type TotalsAndTools,
} from '../../../src/tools/statistics-counters';
import { NOW } from './registry-fixtures';

const outcome = fc.record({
  success: fc.boolean(),
  micros: fc.integer({ min: 0, max: 60_000_000 }),
  finishedAt: fc.integer({ min: 0, max: 1_000 }).map((ms) => new Date(ms).toISOString()),
});

/** Keys that contain their tool, because a step always has the same tool. */
const call = fc
  .tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 5 }), outcome)
  .map(([toolName, step, rest]): [string, RecordedOutcome] => [`${toolName}/${step}`, { toolName, ...rest }]);

/** The figures, counted again from the recorded outcomes. */
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
  it('gives the same figures as counting all over again, whoever counts and whenever it is added up', () => {
    const batch = fc.record({
      process: fc.integer({ min: 0, max: 2 }),
      calls: fc.array(call, { maxLength: 6 }),
      addedUp: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 8 }), (batches) => {
        let sums: TotalsAndTools = { totals: NO_TOTALS, tools: new Map() };
        const tools = new Map<string, Counters>();
        const processes = [0, 1, 2].map(() => new Map<string, ToolShard>());
        const recorded = new Map<string, RecordedOutcome>();
        let last: string | null = null;
        const shards = () =>
          processes.flatMap((process) => [...process].map(([name, value]) => ({ name, value })));
        for (const { process, calls, addedUp } of batches) {
          const own = processes[process] ?? new Map<string, ToolShard>();
          const change = countOutcomes(
            { shardOf: (name) => own.get(name), recorded: (key) => recorded.get(key) },
            new Map(calls),
          );
          for (const [name, shard] of change.shards) own.set(name, shard);
          for (const [key, one] of change.outcomes) recorded.set(key, one);
          for (const { finishedAt } of new Map(calls).values()) {
            if (last === null || finishedAt > last) last = finishedAt;
          }
          if (!addedUp) continue;
          sums = addShards({ totals: sums.totals, tools }, shards());
          for (const [name, counters] of sums.tools) tools.set(name, counters);
          for (const each of processes) each.clear();
        }
        const all = addShards({ totals: sums.totals, tools }, shards());
        expect(toStatistics(all.totals)).toEqual({ ...(recount(recorded) as object), lastExecution: last });
        for (const [name, { executions }] of new Map([...tools, ...all.tools])) {
          expect(executions).toBe([...recorded.values()].filter(({ toolName }) => toolName === name).length);
        }
      }),
    );
  });

  it('changes nothing for outcomes that are known', () => {
    const known: RecordedOutcome = { toolName: 'a', success: true, micros: 5, finishedAt: '' };
    const before = {
      shardOf: () => undefined,
      recorded: (key: string) => (key === 'run/1' ? known : undefined),
    };
    const nothing = { shards: new Map(), outcomes: new Map() };
    expect(countOutcomes(before, new Map([['run/1', { ...known }]]))).toEqual(nothing);
    expect(countOutcomes(before, new Map())).toEqual(nothing);
  });

  it('keeps a call under the tool it was first counted for, also one that another process counted', () => {
    const first: RecordedOutcome = { toolName: 'a', success: true, micros: 5, finishedAt: '' };
    const change = countOutcomes(
      { shardOf: () => undefined, recorded: () => first },
      new Map([['run/1', { ...first, toolName: 'b', success: false, micros: 2, finishedAt: 'later' }]]),
    );
    const shard = { executions: 0, successes: -1, micros: -3, lastExecution: 'later' };
    expect(change.shards).toEqual(new Map([['a', shard]]));
    const counters = { executions: 1, successes: 1, micros: 5 };
    const totals = { ...counters, mostUsed: { name: 'a', executions: 1 }, lastExecution: '' };
    const sums = addShards({ totals, tools: new Map([['a', counters]]) }, [{ name: 'a', value: shard }]);
    expect(sums.tools).toEqual(new Map([['a', { executions: 1, successes: 0, micros: 2 }]]));
    expect(sums.totals).toMatchObject({ executions: 1, mostUsed: { name: 'a', executions: 1 } });
    expect(addShards({ totals, tools: new Map() }, [])).toEqual({ totals, tools: new Map() });
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
