// Trains the answers of changing facts and writes src/facts/answers/weights.json: `npm run train-answers`. Build first. With
// `-- --folds` it first measures by leaving out one author at a time. The new weights take effect with the next build.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { readExamples } = require('../../dist/training/answers/examples.js');
const { trainAnswers } = require('../../dist/training/answers/train.js');
const { measureFolds } = require('../../dist/training/answers/folds.js');

const root = new URL('../../', import.meta.url);
const examples = readExamples(fileURLToPath(root));
if (process.argv.includes('--folds')) {
  for (const [author, counts] of measureFolds(examples))
    process.stdout.write(`${author} ${JSON.stringify(counts)}\n`);
}
writeFileSync(new URL('src/facts/answers/weights.json', root), `${JSON.stringify(trainAnswers(examples))}\n`);
