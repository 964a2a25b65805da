import type { Config } from '../src/settings/config';
import { loadConfig } from '../src/settings/config';
import { benchAgent, printAgent } from './agent';
import { benchCounts, printCounts } from './counts';
import { benchIntents, printIntents } from './intents';
import { benchMemory, printMemory } from './memory';
import { benchNeo4jMemory, printNeo4jMemory } from './memory/neo4j';
import { benchQuality, printQuality } from './memory/quality';
import { benchQueues, printQueues } from './queues';
import { benchRecords, printRecords } from './records';
import { benchScale, printScale } from './scale';
import { benchSizing, printSizing } from './sizing';
import { benchSoak, printSoak } from './soak';
import { benchTools, printTools } from './tools';
import { unwinding } from './unwinding';
import { benchValues, printValues } from './values';

/** What is measured, and how a person reads it. */
interface Bench {
  /** Resolves with what the measurements came to, as JSON and as something to print. */
  run(config: Config): Promise<{ readonly report: unknown; print(): void }>;
}

function bench<R>(measure: (config: Config) => Promise<R>, print: (report: R) => void): Bench {
  return {
    async run(config) {
      const report = await measure(config);
      return { report, print: () => print(report) };
    },
  };
}

/** By the word behind `npm run bench --`. */
const BENCHES: Readonly<Record<string, Bench>> = {
  tools: bench(benchTools, printTools),
  scale: bench(benchScale, printScale),
  soak: bench(benchSoak, printSoak),
  sizing: bench(benchSizing, printSizing),
  agent: bench(benchAgent, printAgent),
  intents: bench(benchIntents, printIntents),
  /** Calls and classifications by several workers, which count them in one store. */
  counts: bench(benchCounts, printCounts),
  /** What a queue for each kind of step costs, and the settings of workers. */
  queues: bench(benchQueues, printQueues),
  /** The embedded store, or the Neo4j server of the settings. */
  memory: {
    run: (config) =>
      config.neo4j === undefined
        ? bench(benchMemory, printMemory).run(config)
        : bench(() => benchNeo4jMemory(config.neo4j as NonNullable<Config['neo4j']>), printNeo4jMemory).run(
            config,
          ),
  },
  'memory-quality': bench(benchQuality, printQuality),
  /** Likewise. */
  records: bench(({ neo4j }) => benchRecords(neo4j), printRecords),
  /** The folder, and the bucket of the settings. */
  values: bench(benchValues, printValues),
};

/** `npm run bench` measures running tools, `npm run bench -- agent` turns of the agent, and so on. With `--json` it prints for a machine to read. */
async function main(words: readonly string[]): Promise<void> {
  const name = words.find((word) => !word.startsWith('--')) ?? 'tools';
  const chosen = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
  if (chosen === undefined) throw new Error(`there is no bench ${name}: ${Object.keys(BENCHES).join(', ')}`);
  const { report, print } = await chosen.run(loadConfig());
  if (words.includes('--json')) console.log(JSON.stringify({ [name]: report }));
  else print();
}

/** What it started would go on without it. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Each step of it is bounded, and one Ctrl-C may arrive twice.
  process.on(signal, () => {
    if (!unwinding.signal.aborted) void unwinding.unwind().then(() => process.exit(EXIT_CODES[signal]));
  });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  // What it measures is being taken down.
  if (unwinding.signal.aborted) return;
  console.error(error);
  process.exitCode = 1;
});
