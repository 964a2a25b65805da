// Trains the intent model and writes src/intents/model.json: `npm run train-intents`. It runs what was built, and the new model
// takes effect with the next build.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { readTrainingData } = require('../dist/training/sentences.js');
const { trainModel } = require('../dist/training/train.js');

const data = readTrainingData(fileURLToPath(new URL('sentences', import.meta.url)));
const model = trainModel(data);
writeFileSync(new URL('../src/intents/model.json', import.meta.url), `${JSON.stringify(model)}\n`);
const percent = (model.crossValidated * 100).toFixed(1);
process.stdout.write(`Cross-validated: ${percent} % right. Temperature: ${model.temperature}.\n`);
