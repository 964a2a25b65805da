import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeterminismViolationError } from '@temporalio/workflow';
import * as workflows from '../../workflows';
import { HISTORIES, readHistories, type RecordedHistory, workflowTypeOf } from './histories';
import { GUARDS } from './histories/guards';
import { agentScenarios } from './agent-scenarios';
import { chatScenarios } from './chat-scenarios';
import { intentScenarios } from './intent-scenarios';
import { mcpScenarios } from './mcp-scenarios';
import { factScenarios, memoryScenarios, passScenarios } from './memory-scenarios';
import { modelScenarios } from './model-scenarios';
import { BUNDLE, replay, useReplays } from './replays';
import { rerunScenarios } from './rerun-scenarios';
import { scenarios } from './scenarios';

const recorded = readHistories();

useReplays();

/** A changed copy, as an incompatible workflow would have recorded it. */
function altered(name: string, change: (history: RecordedHistory) => void): [string, RecordedHistory] {
  const copy = structuredClone(recorded.get(name));
  if (copy === undefined) throw new Error(`there is no history ${name}`);
  change(copy);
  return [name, copy];
}

test('every workflow type has histories, and every recorded path is among them', () => {
  const types = new Set([...recorded.values()].map(workflowTypeOf));
  expect([...types].sort()).toEqual(Object.keys(workflows).sort());
  const paths = [
    ...scenarios(''),
    ...rerunScenarios(''),
    ...modelScenarios(''),
    ...intentScenarios(),
    ...memoryScenarios(),
    ...passScenarios(),
    ...factScenarios(),
    ...chatScenarios(),
    ...agentScenarios(),
    ...mcpScenarios(''),
  ];
  expect([...recorded.keys()]).toEqual(expect.arrayContaining(paths.map(({ name }) => name)));
});

test('every history has a line that says what it guards, and no two have the same', () => {
  expect(Object.keys(GUARDS).sort()).toEqual([...recorded.keys()].sort());
  expect(Object.values(GUARDS).filter((line) => line.trim() === '')).toEqual([]);
  expect(new Set(Object.values(GUARDS)).size).toBe(recorded.size);
});

test('every history is named after its type and stored in one line', () => {
  for (const [name, history] of recorded) {
    expect(name.split('-')[0]).toBe(workflowTypeOf(history));
    expect(readFileSync(join(HISTORIES, `${name}.json`), 'utf8').trimEnd()).not.toContain('\n');
  }
});

test("today's workflows replay every stored history", async () => {
  const results = await replay(BUNDLE, recorded);
  expect([...results.keys()].sort()).toEqual([...recorded.keys()].sort());
  const failures = [...results].flatMap(([name, { error }]) => (error ? [`${name}: ${error.message}`] : []));
  expect(failures).toEqual([]);
});

test.each<[string, string, (history: RecordedHistory) => void]>([
  [
    'another activity in the place of one',
    'executeTool-regular-success',
    ({ events }) => {
      for (const { activityTaskScheduledEventAttributes: scheduled } of events) {
        if (scheduled !== undefined) scheduled.activityType.name = 'runAnotherTool';
      }
    },
  ],
  [
    'a local activity in the place of a regular one',
    'executeTool-regular-success',
    ({ events }) => {
      const [input] = events[0]?.workflowExecutionStartedEventAttributes?.input.payloads ?? [];
      if (input !== undefined) input.data = btoa(atob(input.data).replace('api_call', 'calculator'));
    },
  ],
  [
    'steps in another order',
    'customWorkflow-sequence',
    ({ events }) => {
      const [input] = events[0]?.workflowExecutionStartedEventAttributes?.input.payloads ?? [];
      if (input === undefined) return;
      const run = JSON.parse(atob(input.data)) as { steps: { waitsFor: string[] }[] };
      for (const step of run.steps) step.waitsFor = [];
      input.data = btoa(JSON.stringify(run));
    },
  ],
  [
    'rules in the place of a model',
    'mcpExecution-success',
    ({ events }) => {
      const [input] = events[0]?.workflowExecutionStartedEventAttributes?.input.payloads ?? [];
      if (input !== undefined) input.data = btoa(atob(input.data).replace('"local"', '"builtin"'));
    },
  ],
])('%s is caught', async (_change, name, change) => {
  const results = await replay(BUNDLE, [altered(name, change)]);
  expect(results.get(name)?.error).toBeInstanceOf(DeterminismViolationError);
});
