import { resolve } from 'node:path';
import { createIntentClassifier } from '../src';
import { readIntents, scoreIntents } from '../test/support/intent-scoring';

// The labelled sets are not compiled, so they are in the folder of the sources.
const TEST_FOLDER = resolve(__dirname, '..', '..', 'test');

/** Prints for each set of intents how much of it is right, and the time of a sentence at two percentiles. */
function main(): void {
  const classifier = createIntentClassifier();
  console.log('| set | right | p50 ms | p95 ms |\n| --- | ---: | ---: | ---: |');
  for (const set of ['held-out', 'other-author']) {
    const { accuracy, times } = scoreIntents(classifier, readIntents(TEST_FOLDER, set));
    const timeAt = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(2);
    console.log(`| intents, ${set} | ${(accuracy * 100).toFixed(1)} % | ${timeAt(0.5)} | ${timeAt(0.95)} |`);
  }
}

main();
