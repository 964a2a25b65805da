import { DeterminismViolationError } from '@temporalio/workflow';
import { bundleChanged, type SourceChange } from '../support/changed-workflows';
import { makeTempDir } from '../support/temp-dir';
import { readHistories, workflowTypeOf } from './histories';
import { replay, useReplays } from './replays';

useReplays();

interface Change extends SourceChange {
  readonly what: string;
  /** The type of the workflow in the changed file. */
  readonly type: string;
  /** A stored history that takes the changed path. */
  readonly history: string;
}

/**
 * Changes that break runs in flight and that a developer may make without thinking of them, each in another workflow
 * type.
 */
const INCOMPATIBLE: readonly Change[] = [
  {
    what: 'a step more',
    type: 'executeTool',
    history: 'executeTool-regular-success',
    file: 'execute-tool.ts',
    edits: [
      [/^import type/, "import { sleep } from '@temporalio/workflow';\nimport type"],
      [/^ {2}const \{ output/m, '  await sleep(1);\n  const { output'],
    ],
  },
  {
    what: 'a step less',
    type: 'reindexMemories',
    history: 'reindexMemories-moved',
    file: 'reindex-memories.ts',
    edits: [[/if \(await memorySteps\(`switch to .*\) break;/, 'break;']],
  },
  {
    what: 'steps in another order',
    type: 'eraseUserMemories',
    history: 'eraseUserMemories-erased',
    file: 'erase-user-memories.ts',
    edits: [[/( {4}const erased[^]*?\n {4}\}\n)( {4}let runs[^]*?\n {4}\}\n)/, '$2$1']],
  },
  {
    what: 'steps that begin together in another order',
    type: 'memoryChatTurn',
    history: 'memoryChatTurn-answered',
    file: 'memory-chat-turn.ts',
    edits: [
      ['const [{ stored, storing }, memory] =', 'const [memory, { stored, storing }] ='],
      [
        '    rememberMessage(input, startedAt),\n    recallOthers(input),',
        '    recallOthers(input),\n    rememberMessage(input, startedAt),',
      ],
    ],
  },
  {
    what: 'a step that does not wait for the one before',
    type: 'customWorkflow',
    history: 'customWorkflow-sequence',
    file: 'custom-workflow.ts',
    edits: [['    await Promise.all(before as readonly Promise<void>[]);\n', '']],
  },
  {
    what: 'another activity in the place of one',
    type: 'importRecords',
    history: 'importRecords-imported',
    file: '../packages/records/workflows/import-records.ts',
    edits: [
      ['const { importStep } =', 'const { importRows } ='],
      ['return importStep(', 'return importRows('],
    ],
  },
  {
    what: 'a local activity in the place of a regular one',
    type: 'classifyBatch',
    history: 'classifyBatch-at-once',
    file: 'classify-batch.ts',
    edits: [
      [/proxyActivities \}/, 'proxyLocalActivities }'],
      ['proxyActivities<', 'proxyLocalActivities<'],
    ],
  },
  {
    what: 'another child in the place of one',
    type: 'agentSelfTest',
    history: 'agentSelfTest-answered',
    file: 'agent-self-test.ts',
    edits: [
      ["executeChild<typeof agentTurn>('agentTurn'", "executeChild<typeof agentTurn>('memoryChatTurn'"],
    ],
  },
  {
    what: 'a step in another queue and of another kind, where no worker took the one before',
    type: 'agentTurn',
    history: 'agentTurn-not-taken',
    file: 'agent/understand.ts',
    edits: [['choice: notAsked === undefined ? input.choice : RULES_CHOICE,', 'choice: input.choice,']],
  },
];

/** A further step, added as docs/operators/deploying.md describes it. */
const COMPATIBLE: SourceChange & { readonly type: string } = {
  type: 'executeToolsInSequence',
  file: 'execute-tools-in-sequence.ts',
  edits: [
    [/^import \{ fitDetail/, "import { patched, sleep } from '@temporalio/workflow';\nimport { fitDetail"],
    [
      /^ {2}for \(const \[index, call\] of/m,
      "  if (patched('rest-first')) await sleep(1);\n  for (const [index, call] of",
    ],
  ],
};

const recorded = readHistories();

async function failuresWith(changes: readonly SourceChange[]): Promise<Map<string, unknown>> {
  const dir = makeTempDir();
  try {
    const results = await replay(await bundleChanged(dir.path, changes), recorded);
    expect([...results.keys()].sort()).toEqual([...recorded.keys()].sort());
    return new Map([...results].flatMap(([name, { error }]) => (error ? [[name, error] as const] : [])));
  } finally {
    dir.remove();
  }
}

describe('a copy of the workflows', () => {
  test('that is not changed replays every stored history', async () => {
    expect([...(await failuresWith([]))]).toEqual([]);
  });

  test('that is changed fails on the stored histories of what was changed, and on no other', async () => {
    const failures = await failuresWith([...INCOMPATIBLE, COMPATIBLE]);
    const noticed = INCOMPATIBLE.map(({ what, history }) => [
      what,
      failures.get(history) instanceof DeterminismViolationError,
    ]);
    expect(noticed).toEqual(INCOMPATIBLE.map(({ what }) => [what, true]));
    const changed = new Set(INCOMPATIBLE.map(({ type }) => type));
    const others = [...failures.keys()].filter((name) => !changed.has(workflowTypeOf(recorded.get(name)!)));
    expect(others).toEqual([]);
  });
});
