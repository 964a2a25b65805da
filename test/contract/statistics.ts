import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import type { ToolCallOutcome } from '../../src/contracts/http/tools';
import type { ClassificationOutcome } from '../../src/intent/statistics/totals';
import { createIntentStatistics } from '../../src/intent/statistics/intent-statistics';
import type { DocumentStore, StoredDocument } from '../../src/stores/documents';
import type { RecordedOutcome } from '../../src/tools/statistics-counters';
import { createToolStatistics, type ToolStatisticsStore } from '../../src/tools/statistics';
import type { DocumentStoreHarness } from './support/harness';
import { runTogether, startChild } from './support/child-process';

const RECORD_OUTCOMES = join(__dirname, 'children', 'record-outcomes.ts');
const MINUTE_MS = 60_000;
const NOW = Date.parse('2026-01-02T03:04:05.678Z');
const NEVER = new AbortController().signal;
/** A time far in the future, at which everything that is counted now has expired, also while it is written. */
const LATER = (): number => Date.now() + 60 * MINUTE_MS;

/** The expected statistics, counted from the recorded outcomes of each call. */
async function recount(documents: DocumentStore): Promise<unknown> {
  const all: RecordedOutcome[] = [];
  for (let page: StoredDocument<RecordedOutcome>[] = []; ;) {
    page = await documents.list<RecordedOutcome>('tool-outcomes', { after: page.at(-1)?.key });
    if (page.length === 0) break;
    all.push(...page.map(({ value }) => value));
  }
  const successful = all.filter(({ success }) => success).length;
  const micros = all.reduce((sum, each) => sum + each.micros, 0);
  const uses = new Map<string, number>();
  for (const { toolName } of all) uses.set(toolName, (uses.get(toolName) ?? 0) + 1);
  const [most] = [...uses].sort(([a, some], [b, others]) => others - some || (a < b ? -1 : 1));
  const last = all.reduce<string | null>(
    (latest, { finishedAt }) => (latest === null || finishedAt > latest ? finishedAt : latest),
    null,
  );
  return {
    totalExecutions: all.length,
    successfulExecutions: successful,
    failedExecutions: all.length - successful,
    averageExecutionTime: all.length === 0 ? 0 : Math.round(micros / all.length) / 1_000,
    mostUsedTool: most?.[0] ?? null,
    lastExecution: last,
  };
}

/** Rolls up repeatedly until `work` has ended. */
async function whileRollingUp(rollUp: () => Promise<unknown>, work: Promise<unknown>): Promise<void> {
  let working = true;
  const done = work.finally(() => (working = false));
  const rolling = async (): Promise<void> => {
    while (working) {
      // A roll-up gives up when it meets a writer each time, and is then repeated.
      await rollUp().catch((error: unknown) => expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' }));
      await nextTurn();
    }
  };
  await Promise.all([done, rolling()]);
}

/** What the statistics of several processes on one store have to do, with any store. */
export function describeStatistics(
  name: string,
  open: () => Promise<DocumentStoreHarness>,
  { runs }: { readonly runs: number },
): void {
  describe(`statistics of several processes on ${name}`, () => {
    let harness: DocumentStoreHarness | undefined;
    const current = (): DocumentStoreHarness => {
      if (harness === undefined) throw new Error('No store is open');
      return harness;
    };
    beforeEach(async () => {
      harness = await open();
    });
    afterEach(async () => {
      await harness?.dispose();
      harness = undefined;
    });

    const statisticsOn = (documents: DocumentStore, now?: () => number): ToolStatisticsStore =>
      createToolStatistics({ documents, retentionMs: 10 * MINUTE_MS, ...(now && { now }) });

    it('are those of what is recorded of each call, in whatever order processes count and add up', async () => {
      const documents = [0, 1, 2].map(() => current().connect());
      const outcome = fc.record({
        process: fc.integer({ min: 0, max: 2 }),
        runId: fc.constantFrom('run', 'other'),
        step: fc.constantFrom('1', '2', '3'),
        toolName: fc.constantFrom('a', 'b'),
        success: fc.boolean(),
        executionTime: fc.integer({ min: 0, max: 50 }),
      });
      // All share one last call: the call that was counted last, even if a later outcome has replaced it.
      const finishedAt = new Date(NOW).toISOString();
      const step = fc.record({
        // The processes record at the same time, some of them the same call.
        outcomes: fc.array(outcome, { maxLength: 5 }),
        rolledUpBy: fc.option(fc.integer({ min: 0, max: 2 })),
        died: fc.option(fc.integer({ min: 0, max: 2 })),
        minutes: fc.constantFrom(0, 0, 1, 3),
      });
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
          run += 1;
          let now = NOW;
          const start = (store: DocumentStore): ToolStatisticsStore => statisticsOn(store, () => now);
          const processes = documents.map(start);
          for (const { outcomes, rolledUpBy, died, minutes } of steps) {
            const recording = outcomes.map(({ process, runId, ...rest }) =>
              processes[process]?.record({
                ...rest,
                finishedAt,
                runId: `${runId}-${run}`,
              } satisfies ToolCallOutcome),
            );
            const rollingUp = rolledUpBy === null ? 0 : processes[rolledUpBy]?.rollUp(NEVER);
            await Promise.all([...recording, rollingUp]);
            const [store] = died === null ? [] : documents.slice(died, died + 1);
            // The process loses what it knew, and what it has counted stays.
            if (died !== null && store !== undefined) processes[died] = start(store);
            now += minutes * MINUTE_MS;
          }
          const [reader = start(current().connect())] = processes;
          const [store = current().connect()] = documents;
          const expected = await recount(store);
          expect(await reader.read()).toEqual(expected);
          now += 3 * MINUTE_MS;
          await reader.rollUp(NEVER);
          expect(await store.list('tool-shards')).toEqual([]);
          expect(await reader.read()).toEqual(expected);
        }),
        { numRuns: runs, endOnFailure: true },
      );
    });

    it('count each call once, also those that every process records, while they are added up', async () => {
      const calls = 150;
      const documents = current().connect();
      const reader = statisticsOn(documents, LATER);
      await documents.ping();
      const { settings } = current().address;
      await whileRollingUp(
        () => reader.rollUp(NEVER),
        runTogether(
          RECORD_OUTCOMES,
          [0, 1, 2].map((process) => ({ settings, process, calls, concurrency: 4 })),
        ),
      );
      const expected = {
        totalExecutions: 4 * calls,
        successfulExecutions: 2 * calls,
        failedExecutions: 2 * calls,
        averageExecutionTime: 2,
        mostUsedTool: 'shared',
        lastExecution: '2026-01-01T00:00:00.000Z',
      };
      expect(await reader.read()).toEqual(expected);
      await reader.rollUp(NEVER);
      expect(await documents.list('tool-shards')).toEqual([]);
      expect(await reader.read()).toEqual(expected);
    });

    it('have every acknowledged call of a process that was killed, and count what is there', async () => {
      const { settings } = current().address;
      const child = startChild(RECORD_OUTCOMES, {
        settings,
        process: 0,
        calls: 1_000_000,
        concurrency: 8,
        print: true,
      });
      await child.ready();
      const documents = current().connect();
      const reader = statisticsOn(documents, LATER);
      child.go();
      const acknowledged: string[] = [];
      const recording = async (): Promise<void> => {
        while (acknowledged.length < 300) acknowledged.push((await child.nextLine()) ?? '');
        await child.kill();
      };
      await whileRollingUp(() => reader.rollUp(NEVER), recording());

      const keys = new Set<string>();
      for (let page: StoredDocument[] = []; ;) {
        page = await documents.list('tool-outcomes', { after: page.at(-1)?.key });
        if (page.length === 0) break;
        for (const { key } of page) keys.add(key);
      }
      for (const key of acknowledged) expect(keys).toContain(key);
      expect(await reader.read()).toEqual(await recount(documents));
      // Another process finds the shards of this one and no others.
      await reader.rollUp(NEVER);
      expect(await documents.list('tool-shards')).toEqual([]);
      expect(await reader.read()).toEqual(await recount(documents));
    });

    it('never show a call twice or not at all while they are added up', async () => {
      const [writer, other, reader] = [0, 1, 2].map(() => current().connect());
      if (writer === undefined || other === undefined || reader === undefined) throw new Error('no store');
      const figures = statisticsOn(writer);
      const rollUp = statisticsOn(other, LATER);
      const read = statisticsOn(reader);
      let acknowledged = 0;
      let begun = 0;
      const record = async (): Promise<void> => {
        for (let step = 1; step <= 60; step += 1) {
          begun = step;
          await figures.record({
            runId: 'run',
            step: String(step),
            toolName: `tool-${step % 3}`,
            success: true,
            executionTime: 1,
            finishedAt: new Date(NOW).toISOString(),
          });
          acknowledged = step;
        }
      };
      const look = async (): Promise<void> => {
        while (acknowledged < 60) {
          const before = acknowledged;
          const { totalExecutions } = await read.read();
          expect(totalExecutions).toBeGreaterThanOrEqual(before);
          expect(totalExecutions).toBeLessThanOrEqual(begun);
          await nextTurn();
        }
      };
      await whileRollingUp(() => rollUp.rollUp(NEVER), Promise.all([record(), look()]));
      expect(await read.read()).toMatchObject({ totalExecutions: 60 });
    });

    it('count classifications once, also those that every process records, while they are added up', async () => {
      const [one, two, three] = [0, 1, 2].map(() => current().connect());
      if (one === undefined || two === undefined || three === undefined) throw new Error('no store');
      const on = (documents: DocumentStore, now?: () => number) =>
        createIntentStatistics({ documents, retentionMs: 10 * MINUTE_MS, ...(now && { now }) });
      const processes = [on(one), on(two)];
      const rollUp = on(three, LATER);
      const outcome: ClassificationOutcome = { intent: { type: 'hybrid', confidence: 0.5 }, time: 2 };
      const parts = Array.from({ length: 40 }, (_, part) => part);
      const record = async (counted: (typeof processes)[number]): Promise<void> => {
        for (const part of parts) {
          await Promise.all([
            counted.record([outcome, 'failed'], `run/${part}`),
            counted.record([outcome]),
            counted.record([outcome, 'failed'], `run/${part}`),
          ]);
        }
      };
      await whileRollingUp(() => rollUp.rollUp(NEVER), Promise.all(processes.map(record)));
      const expected = {
        totalClassifications: 160,
        averageConfidence: 0.5,
        intentDistribution: { hybrid: 120 },
        performance: { averageClassificationTime: 2, successRate: 0.75, errorRate: 0.25 },
        recentActivity: { lastDay: 160 },
      };
      expect(await rollUp.read()).toMatchObject(expected);
      await rollUp.rollUp(NEVER);
      expect(await three.list('intent-shards')).toEqual([]);
      expect(await on(one).read()).toMatchObject(expected);
    });
  });
}
