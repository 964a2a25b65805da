// Trains the weights by which arguments of registered tools are read, and writes src/arguments/weights.json:
// `npm run train-tools`. Build first; the new weights take effect with the next build.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { trainCalls } = require('../dist/training/tool-training.js');

const { weights, unseen } = trainCalls(fileURLToPath(new URL('..', import.meta.url)));
writeFileSync(new URL('../src/arguments/weights.json', import.meta.url), `${JSON.stringify(weights)}\n`);
process.stdout.write(
  `of calls in files that took no part in the training, ${unseen.right} of ${unseen.total} are right\n`,
);
