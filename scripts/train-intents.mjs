// Measures the intent methods, trains the chosen one, writes src/intent/model.json: `npm run train-intents`. Build first;
// with `-- --quick` only the chosen method is measured. The new model takes effect with the next build.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { trainIntents } = require('../dist/src/intent/training/train.js');

const { model, comparisons } = trainIntents(process.argv.includes('--quick') ? [] : undefined);
writeFileSync(new URL('../src/intent/model.json', import.meta.url), `${JSON.stringify(model)}\n`);

const percent = (value) => `${(value * 100).toFixed(1)} %`;
process.stdout.write(
  '| method | accuracy | macro F1 | ECE | ms a query |\n| --- | ---: | ---: | ---: | ---: |\n',
);
for (const { name, metrics, msPerQuery } of comparisons) {
  const cells = [
    name,
    percent(metrics.accuracy),
    percent(metrics.macroF1),
    metrics.ece.toFixed(3),
    msPerQuery.toFixed(2),
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
process.stdout.write(`\ntemperature ${model.temperature}; rows are labels, columns predictions:\n`);
for (const row of model.crossValidated.confusion)
  process.stdout.write(`${row.map((count) => String(count).padStart(5)).join('')}\n`);
