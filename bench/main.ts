import { type Config, loadConfig } from '../src/settings/config';
import { benchAccess, printAccess } from './access';
import { benchAgent, printAgent } from './agent';
import { benchCounts, printCounts } from './counts';
import { benchFollowing, printFollowing } from './following';
import { benchGrowth, printGrowth } from './growth';
import { benchInFlight, printInFlight } from './in-flight';
import { benchIntents, printIntents } from './intents';
import { benchMcp, printMcp } from './mcp';
import { benchMemory, printMemory } from './memory';
import { benchLanguages, printLanguages } from './memory/languages';
import { benchNeo4jMemory, printNeo4jMemory } from './memory/neo4j';
import { benchQuality, printQuality } from './memory/quality';
import { benchLongConversations, printLongConversations } from './memory/quality/long-conversations';
import { benchNeighbour, printNeighbour } from './neighbour';
import { benchOpenAi, printOpenAi } from './openai';
import { benchPaused, printPaused } from './paused';
import { benchQueues, printQueues } from './queues';
import { benchRecords, printRecords } from './records';
import { benchScale, printScale } from './scale';
import { benchSdkPatches, printSdkPatches } from './sdk-patches';
import { benchSizing, printSizing } from './sizing';
import { benchSoak, printSoak } from './soak';
import { benchTools, printTools } from './tools';
import { unwinding } from './unwinding';
import { benchValues, printValues } from './values';

/** A set of measurements. */
interface Bench {
  /** Measures, and resolves with the report and a function that prints it for a person. */
  run(config: Config, words: readonly string[]): Promise<{ readonly report: unknown; print(): void }>;
}

function bench<R>(measure: (config: Config) => Promise<R>, print: (report: R) => void): Bench {
  return {
    async run(config) {
      const report = await measure(config);
      return { report, print: () => print(report) };
    },
  };
}

/** The benches by the argument of `npm run bench --`. */
const BENCHES: Readonly<Record<string, Bench>> = {
  tools: bench(benchTools, printTools),
  /** What each change to Temporal's SDK saves. */
  'sdk-patches': bench(benchSdkPatches, printSdkPatches),
  scale: bench(benchScale, printScale),
  soak: bench(benchSoak, printSoak),
  sizing: bench(benchSizing, printSizing),
  /** Runs, lists and retention as the database of the development server grows. */
  growth: bench(benchGrowth, printGrowth),
  /** What it takes to follow runs by their events. */
  following: bench(benchFollowing, printFollowing),
  /** Runs that wait for people. */
  paused: bench(benchPaused, printPaused),
  agent: bench(benchAgent, printAgent),
  /** What keys, users and tenants cost a request. */
  access: bench(benchAccess, printAccess),
  /** Calls and lists of tools by MCP clients. */
  mcp: bench(benchMcp, printMcp),
  /** Turns of the agent over OpenAI's API. */
  openai: bench(benchOpenAi, printOpenAi),
  /** What one tenant sees while another one attacks. */
  'noisy-neighbour': {
    run: (config, words) => bench(() => benchNeighbour(words), printNeighbour).run(config, words),
  },
  /** What reading and storing large results does to everybody else. */
  'in-flight': bench(benchInFlight, printInFlight),
  intents: bench(benchIntents, printIntents),
  /** Calls and classifications by several workers that count outcomes in one store. */
  counts: bench(benchCounts, printCounts),
  /** The cost of a queue for each kind of step, and of settings of workers. */
  queues: bench(benchQueues, printQueues),
  /** Measures the embedded store, or the Neo4j server of the settings. */
  memory: {
    run: (config, words) =>
      config.neo4j === undefined
        ? bench(benchMemory, printMemory).run(config, words)
        : bench(() => benchNeo4jMemory(config.neo4j as NonNullable<Config['neo4j']>), printNeo4jMemory).run(
            config,
            words,
          ),
  },
  /** What words of scripts without spaces cost. */
  languages: bench(benchLanguages, printLanguages),
  /** Measures the project's own conversations or, with `--data FOLDER`, long ones in a folder. */
  'memory-quality': {
    run(config, words) {
      const at = words.indexOf('--data');
      const data = at === -1 ? undefined : (words[at + 1] ?? '--');
      if (data?.startsWith('--') === true) throw new Error('--data needs a folder of conversations');
      return data === undefined
        ? bench(benchQuality, printQuality).run(config, words)
        : bench(() => benchLongConversations(data), printLongConversations).run(config, words);
    },
  },
  /** Measures the embedded store, or the Neo4j server of the settings. */
  records: bench(({ neo4j }) => benchRecords(neo4j), printRecords),
  /** Measures a folder, and the bucket of the settings. */
  values: bench(benchValues, printValues),
};

/**
 * `npm run bench` measures running tools, and `npm run bench -- agent` turns of the agent. With `--json` it prints
 * the report as JSON.
 */
async function main(words: readonly string[]): Promise<void> {
  const name = words.find((word) => !word.startsWith('--')) ?? 'tools';
  const chosen = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
  if (chosen === undefined) throw new Error(`there is no bench ${name}: ${Object.keys(BENCHES).join(', ')}`);
  const { report, print } = await chosen.run(loadConfig(), words);
  if (words.includes('--json')) console.log(JSON.stringify({ [name]: report }));
  else print();
}

/** On a signal the bench stops what it has started, because those processes would continue without it. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // A repeated signal does nothing, because one Ctrl-C may arrive twice and each step of stopping has a time limit.
  process.on(signal, () => {
    if (!unwinding.signal.aborted) void unwinding.unwind().then(() => process.exit(EXIT_CODES[signal]));
  });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  // The error comes from stopping what is measured.
  if (unwinding.signal.aborted) return;
  console.error(error);
  process.exitCode = 1;
});
