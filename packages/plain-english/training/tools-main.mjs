// Trains the weights by which calls of registered tools are read, and writes src/arguments/weights.json: `npm run train-tools`.
// Build first. With `-- --folds` it first measures by leaving out one file at a time. The new weights take effect with the next
// build.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { CallTraining } = require('../dist/training/tool-training.js');
const { withWeights } = require('../dist/src/arguments/weights.js');
const { readSentences, scoreSentences } = require('../dist/test/support/sentences.js');

const training = new CallTraining(fileURLToPath(new URL('..', import.meta.url)));
if (process.argv.includes('--folds')) {
  for (const files of training.authors) {
    const weights = training.train(files);
    for (const file of files) {
      const sentences = readSentences(training.pathOf(file), '');
      const { total, right, wrong } = withWeights(weights, () => scoreSentences(sentences));
      process.stdout.write(`${file}: of ${total} ${right} right, ${wrong} wrong\n`);
    }
  }
}
const weights = training.train();
writeFileSync(new URL('../src/arguments/weights.json', import.meta.url), `${JSON.stringify(weights)}\n`);
