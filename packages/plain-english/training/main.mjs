// Measures the intent methods, trains the chosen one, writes src/intents/model.json: `npm run train-intents`. Build first;
// with `-- --quick` only the chosen method is measured. The new model takes effect with the next build.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { trainIntents } = require('../dist/training/train.js');

const { model, comparisons } = trainIntents(process.argv.includes('--quick') ? [] : undefined);
writeFileSync(new URL('../src/intents/model.json', import.meta.url), `${JSON.stringify(model)}\n`);

const percent = (value) => `${(value * 100).toFixed(1)} %`;
process.stdout.write(
  '| method | cross-validated | macro F1 | ECE | other author | ECE | ms a query |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n',
);
for (const { name, crossValidated, foreign, msPerQuery } of comparisons) {
  const cells = [
    name,
    percent(crossValidated.accuracy),
    percent(crossValidated.macroF1),
    crossValidated.ece.toFixed(3),
    percent(foreign.accuracy),
    foreign.ece.toFixed(3),
    msPerQuery.toFixed(2),
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
process.stdout.write(`\ntemperature ${model.temperature}; rows are labels, columns predictions:\n`);
for (const { confusion } of [model.crossValidated, model.foreign]) {
  for (const row of confusion)
    process.stdout.write(`${row.map((count) => String(count).padStart(5)).join('')}\n`);
  process.stdout.write('\n');
}
