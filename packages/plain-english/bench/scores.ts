import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { answerFromMemories, createIntentClassifier, KNOWN_TOOLS, understand } from '../src';
import { scoreIntents } from '../test/support/intent-scoring';
import { memoriesOf, NOW, readCases, score } from '../test/support/recalled-scoring';
import { AREAS, scoreArea } from '../test/support/area-scoring';
import { readSentences, scoreSentences } from '../test/support/sentences';

/** One labelled set: how much of it is right, and how long one of its sentences takes. */
interface Row {
  readonly set: string;
  /** 0 to 1 */
  readonly right: number;
  /** Milliseconds of each sentence. */
  readonly times: readonly number[];
}

// The labelled sets are no part of what is compiled.
const TEST = resolve(__dirname, '..', '..', 'test');
const setsIn = (folder: string): string[] =>
  readdirSync(join(TEST, folder)).filter((file) => file.endsWith('.json'));

function timed(work: () => unknown): number {
  const start = performance.now();
  try {
    work();
  } catch {
    // A refusal is a result as well; whether it is the right one is scored elsewhere.
  }
  return performance.now() - start;
}

function benchSentences(name: string): Row {
  const file = readSentences(name, join(TEST, 'sentences'));
  const tools = [...KNOWN_TOOLS, ...file.tools];
  const { right, total } = scoreSentences(file);
  const times = file.sentences.map(({ query }) => timed(() => understand(query, tools)));
  return { set: `calls, ${name}`, right: right / total, times };
}

function benchRecall(name: string): Row {
  const cases = readCases(join(TEST, 'recalled', name));
  const { right } = score(cases);
  const times = cases.map((one) => timed(() => answerFromMemories(one.query, memoriesOf(one), NOW)));
  return { set: `answers from memory, ${name}`, right, times };
}

function benchIntents(name: string): Row {
  const { accuracy, times } = scoreIntents(createIntentClassifier(), join(TEST, 'intents', name));
  return { set: `intents, ${name}`, right: accuracy, times };
}

function percentile(times: readonly number[], share: number): string {
  const sorted = [...times].sort((one, other) => one - other);
  return (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2);
}

const rows = [
  ...setsIn('sentences').map(benchSentences),
  ...setsIn('recalled').map(benchRecall),
  ...setsIn('intents').map(benchIntents),
];
console.log('| set | right | p50 ms | p95 ms |\n| --- | ---: | ---: | ---: |');
for (const { set, right, times } of rows) {
  const share = `${(right * 100).toFixed(1)} %`;
  console.log(`| ${set} | ${share} | ${percentile(times, 0.5)} | ${percentile(times, 0.95)} |`);
}

console.log('\n| area | right | wrong | of |\n| --- | ---: | ---: | ---: |');
for (const half of ['development', 'held-out'] as const) {
  for (const area of AREAS) {
    const { total, right, wrong } = scoreArea(area, half, join(TEST, 'areas'));
    const share = (count: number): string => `${((100 * count) / total).toFixed(1)} %`;
    console.log(`| ${area}, ${half} | ${share(right)} | ${share(wrong)} | ${total} |`);
  }
}
