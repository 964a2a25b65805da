import type { Fact, FactSource, RecordedFact } from '../../../../src/contracts/facts';
import { createLexicalEmbedder } from '../../../../src/embeddings/lexical/lexical-embedder';
import { foldFacts } from '../../../../src/memory/facts/fold';
import { toEpisodicNode } from '../../../../src/memory/nodes/episodic-node';
import { createConsolidationPlanner, type PlannerPorts } from '../../../../src/memory/upkeep/plan';
import type { MemoryNode } from '../../../../src/stores/memory/node';

const AT = Date.parse('2026-01-02T03:04:05.678Z');
const embedder = createLexicalEmbedder(64);

interface Remembered {
  readonly text: string;
  readonly value: string;
  readonly drawnBy?: 'model';
  readonly due?: true;
}

/** Plans the consolidation of memories that say each where their user lives. @returns the places of those that are archived */
async function planned(memories: readonly Remembered[]): Promise<number[]> {
  const nodes = memories.map(({ text }, n): MemoryNode => {
    const identity = { id: `m${n}`, timestamp: AT + n };
    const node = toEpisodicNode({ userId: 'ada', sessionId: 's', content: text }, identity);
    return { ...node, revision: 1, readCount: 0, readAt: null };
  });
  const sources = memories.map(({ text, value, drawnBy }, n): FactSource => {
    const fact = { subject: 'user', attribute: 'home', value, change: 'holds', single: true } as const;
    const said: RecordedFact = { ...fact, start: 0, end: text.length, ...(drawnBy && { drawnBy }) };
    return { memoryId: `m${n}`, at: AT + n, said: [said] };
  });
  const facts: Fact[] = foldFacts(sources);
  const due = new Set(memories.flatMap((memory, n) => (memory.due ? [`m${n}`] : [])));
  const spaces = { use: (work: (opened: object) => unknown) => work({ embedder }) } as unknown;
  const plan = createConsolidationPlanner({
    graph: {
      list: ({ kind }) => Promise.resolve(kind === 'episodic' ? [...nodes].reverse() : []),
      relatedOfMany: () => Promise.resolve(new Map()),
    },
    facts: { readSources: () => Promise.resolve({ sources, facts }), listDue: () => Promise.resolve(due) },
    spaces: spaces as PlannerPorts['spaces'],
    hasSemantic: false,
    newId: () => 'x',
  });
  const { archive } = await plan('ada', { before: AT + 1_000, longSession: 1_000 });
  return archive.map(({ id }) => Number(id.slice(1))).sort();
}

const noisy = { text: 'Since May I am based in Leeds in a noisy flat', value: 'Leeds' };
const quiet = { text: 'Since May I am based in Leeds in a quiet flat', value: 'Leeds' };
const york = { text: 'I moved to York', value: 'York' };
const byModel = { drawnBy: 'model' } as const;

test.each<[what: string, archived: number[], memories: Remembered[]]>([
  ['the same facts by the rules', [0], [noisy, quiet]],
  [
    'the same facts by a model',
    [],
    [
      { ...noisy, ...byModel },
      { ...quiet, ...byModel },
    ],
  ],
  [
    'the same words',
    [0],
    [
      { ...noisy, ...byModel },
      { ...noisy, ...byModel },
    ],
  ],
  ['what the rules read is superseded', [0], [noisy, york]],
  ['what a model read is superseded', [], [{ ...noisy, ...byModel }, york]],
  ['a model has still to read one of two', [], [noisy, { ...noisy, due: true }]],
  ['a model has still to read what is superseded', [], [{ ...noisy, due: true }, york]],
])('%s', async (_what, archived, memories) => {
  expect(await planned(memories)).toEqual(archived);
});
