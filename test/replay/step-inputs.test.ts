import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import type { RunEvent } from '../../src/contracts/http/run-events';
import type { ToolStepResult } from '../../src/contracts/runs/tools';
import { createCalculator } from '../../src/tools/builtin/calculator';
import { createJsonReader } from '../../src/tools/builtin/json-reader';
import type { BuiltinTool } from '../../src/tools/tool';
import { readFirst, readPayload } from '../../temporal/payloads/large-values';
import { deriveInput, type DerivedRun, UnderivableInput } from '../../temporal/run-events/derive-input';
import { isLogged, withoutInput } from '../../temporal/run-events/logged-events';
import { derivedRun, readInput } from '../../temporal/run-events/read-step';
import { RunLog } from '../../temporal/run-events/run-log';
import { StepCollector, type StepPayloads } from '../../temporal/run-events/step-payloads';
import { readHistories, workflowTypeOf } from './histories';

/** The ids of calls in runs of builds before calls had names. */
const UNNAMED = /^run(Light)?Tools?-\d+$/;
const RUN = { workflowId: 'the-workflow', runId: 'the-run' };
const LIGHT_TOOLS = new Map<string, BuiltinTool>(
  [
    createCalculator(),
    createJsonReader({ queryJson: () => Promise.reject(new Error('it is not asked for one place')) }),
  ].map((tool) => [tool.name, tool]),
);

interface Recorded {
  readonly run: DerivedRun;
  readonly steps: readonly StepPayloads[];
  readonly ends: ReadonlyMap<string, RunEvent>;
}

function read(recorded: ReturnType<typeof readHistories> extends Map<string, infer R> ? R : never): Recorded {
  const events = (historyFromJSON(recorded).events ?? []).filter(isLogged);
  const [started] = events;
  const runId = started?.workflowExecutionStartedEventAttributes?.originalExecutionRunId ?? '';
  const log = new RunLog({ ...RUN, runId });
  const collector = new StepCollector();
  const ends = new Map<string, RunEvent>();
  for (const event of events) {
    collector.note(event);
    const logged = log.add(withoutInput(event));
    collector.add(logged);
    for (const one of logged) if (one.step !== undefined) ends.set(one.step.id, one);
  }
  const input = readFirst(started?.workflowExecutionStartedEventAttributes?.input);
  const run = derivedRun(collector, log.workflowType, runId, {
    load: (payload) => Promise.resolve(readPayload(payload)),
    readInput: () => Promise.resolve(input),
    readFiles: () => Promise.resolve(undefined),
  });
  return { run, steps: [...collector.steps.values()], ends };
}

const HISTORIES = [...readHistories()].map(([name, recorded]) => ({
  name,
  type: workflowTypeOf(recorded),
  recorded,
}));
/** The types of the runs of which a derived input was compared. */
const compared = new Map<string, number>();
const count = (type: string): void => void compared.set(type, (compared.get(type) ?? 0) + 1);

test.each(HISTORIES)(
  'the derived inputs of $name are those that its tools received',
  async ({ type, recorded }) => {
    const { run, steps, ends } = read(recorded);
    const isUnnamed = steps.some(({ step }) => UNNAMED.test(step.id));
    for (const payloads of steps) {
      const { step } = payloads;
      if (step.kind !== 'tool' && !(step.name === 'generate' && type === 'customWorkflow')) continue;
      const derived = await deriveInput(run, step.id).catch((error: unknown) => {
        // It is not known which call this was, or which was before it.
        if (error instanceof UnderivableInput && isUnnamed) return error;
        throw error;
      });
      if (derived instanceof UnderivableInput) continue;
      if (payloads.input !== undefined) {
        const received = await readInput(run, payloads, (payload) => Promise.resolve(readPayload(payload)));
        expect([step.id, derived]).toEqual([step.id, received]);
        count(type);
        continue;
      }
      const tool = LIGHT_TOOLS.get(step.name);
      // A call of an earlier build without the name of its tool, or a prompt for rules.
      if (tool === undefined) continue;
      const outcome = tool.run(derived as never, { signal: new AbortController().signal } as never);
      const error = ends.get(step.id)?.error;
      if (error !== undefined) await expect(outcome).rejects.toThrow(error.message.split(',')[0]);
      else {
        const { output } = (await run.readResult(step.id)) as ToolStepResult;
        expect([step.id, (await outcome).value]).toEqual([step.id, output]);
      }
      count(type);
    }
  },
);

test('inputs are derived of every type of run that calls tools', () => {
  // `queryWorkflow` is `mcpExecution` under another name.
  expect([...compared.keys()].sort()).toEqual([
    'agentTurn',
    'customWorkflow',
    'executeTool',
    'executeToolFromQuery',
    'executeToolsInParallel',
    'executeToolsInSequence',
    'mcpExecution',
  ]);
});
