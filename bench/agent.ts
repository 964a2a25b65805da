import { rmSync } from 'node:fs';
import type { AgentAnswer } from '../src/contracts/http/agent';
import { type Latency, measureLatency } from './load';
import { ONE_CALL, startService } from './service';
import { median, percentile } from './statistics';
import { makeBenchFolder } from './unwinding';

/** The times that the answer of a turn reports, in the order of its steps. */
const STEPS = [
  ['classify', 'intentClassificationTime'],
  ['recall, beside it', 'memorySearchTime'],
  ['choose and run tools', 'toolExecutionTime'],
  ['answer', 'llmResponseTime'],
  ['remember', 'memoryStoreTime'],
  ['the turn, waiting left out', 'executionTime'],
] as const;

interface TurnRow {
  readonly name: string;
  /** The time that its caller waits. */
  readonly whole: Latency;
  readonly steps: readonly (Latency & { readonly name: string })[];
}

export interface AgentReport {
  readonly tool: Latency;
  readonly turns: readonly TurnRow[];
}

const ROUNDS = 5;
const TURNS = 30;
/** Sent to the agent before the measurement, so that it has memories to recall. */
const STATEMENTS = [
  'My name is Dana and I prefer tea',
  'I use 12 litres per week',
  'My sister lives in Lisbon',
  'The boat is in the harbour since April',
];
const QUERIES = [
  ['conversation', 'Hello there, how are you?'],
  ['tool_execution', 'What is 15 times 7?'],
  ['memory_chat', 'What do I like to drink?'],
  ['hybrid', 'How many litres did I say I use per week, times 4?'],
] as const;

interface Subject {
  readonly name: string;
  readonly query: string;
  readonly whole: Latency[];
  readonly answers: NonNullable<AgentAnswer['metadata']>[];
}

/** Measures turns of the agent with the built-in rules, by intent and by step, and compares them with one tool call. */
export async function benchAgent(): Promise<AgentReport> {
  const dataDir = makeBenchFolder();
  const service = await startService(dataDir);
  let session = 0;
  const ask = async (query: string): Promise<AgentAnswer> => {
    // Each turn has a new session, so that it does not wait for the turn before.
    session += 1;
    const options = { userId: 'dana', sessionId: `session-${session}` };
    return ((await service.post('/api/agent/execute', { query, options })) as { data: AgentAnswer }).data;
  };
  try {
    await service.post('/api/agent/initialize', {});
    for (const statement of STATEMENTS) await ask(statement);
    const tools: Latency[] = [];
    const subjects: Subject[] = QUERIES.map(([name, query]) => ({ name, query, whole: [], answers: [] }));
    for (let round = 0; round <= ROUNDS; round += 1) {
      const tool = await measureLatency(() => service.post('/api/tools/execute', ONE_CALL), TURNS);
      // The first round is a warm-up.
      if (round > 0) tools.push(tool);
      for (const { query, whole, answers } of subjects) {
        const found: (typeof answers)[number][] = [];
        const latency = await measureLatency(async () => {
          const { metadata } = await ask(query);
          if (metadata !== undefined) found.push(metadata);
        }, TURNS);
        if (round === 0) continue;
        whole.push(latency);
        answers.push(...found);
      }
    }
    return { tool: middle(tools), turns: subjects.map(toRow) };
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function toRow({ name, whole, answers }: Subject): TurnRow {
  return {
    name,
    whole: middle(whole),
    steps: STEPS.map(([step, field]) => {
      const samples = answers.map((answer) => answer[field]);
      return { name: step, p50: median(samples), p95: percentile(samples, 0.95) };
    }),
  };
}

/** The medians over the rounds. */
function middle(rounds: readonly Latency[]): Latency {
  return { p50: median(rounds.map(({ p50 }) => p50)), p95: median(rounds.map(({ p95 }) => p95)) };
}

export function printAgent({ tool, turns }: AgentReport): void {
  const pair = ({ p50, p95 }: Latency): string => `${p50.toFixed(1)} / ${p95.toFixed(1)}`;
  console.log(`| p50 / p95 ms | ${turns.map(({ name }) => name).join(' | ')} |`);
  console.log(`| --- |${' ---: |'.repeat(turns.length)}`);
  STEPS.forEach(([name], at) => {
    const cells = turns.map(({ steps }) => (steps[at] === undefined ? '' : pair(steps[at])));
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  });
  console.log(`| over HTTP | ${turns.map(({ whole }) => pair(whole)).join(' | ')} |`);
  console.log(
    `| : one tool call (${pair(tool)}), p50 | ${turns.map(({ whole }) => (whole.p50 / tool.p50).toFixed(2)).join(' | ')} |`,
  );
}
