import { loadConfig } from '../src/config';
import { benchIntents, printIntents } from './intents';
import { benchMemory, printMemory } from './memory';
import { benchNeo4jMemory, printNeo4jMemory } from './memory/neo4j';
import { benchQuality, printQuality } from './memory/quality';
import type { ToolsReport } from './tools';
import { benchTools } from './tools';

function print({ rows, ratios, rounds }: ToolsReport): void {
  const number = (value: number | undefined, digits = 1): string =>
    value === undefined ? '' : value.toFixed(digits);
  console.log(`\nMedians over ${rounds} rounds\n`);
  console.log('| | p50 ms | p95 ms | runs/s at 16 callers |\n| --- | ---: | ---: | ---: |');
  for (const { name, p50, p95, throughput } of rows) {
    console.log(`| ${name} | ${number(p50)} | ${number(p95)} | ${number(throughput)} |`);
  }
  console.log('\n| figure | measured | bound | |\n| --- | ---: | ---: | --- |');
  for (const { name, value, bound, ok } of ratios) {
    console.log(`| ${name} | ${number(value, 2)} | ${bound} | ${ok ? 'kept' : 'not kept'} |`);
  }
}

/**
 * `npm run bench` measures running tools, `npm run bench -- memory` the memory store (the embedded one, or the Neo4j server
 * of the settings), `npm run bench -- memory-quality` what searches find, `npm run bench -- intents` telling intents. With `--json` it prints for a machine to read.
 */
async function main(): Promise<void> {
  const json = process.argv.includes('--json');
  const { neo4j } = loadConfig();
  if (process.argv.includes('memory') && neo4j !== undefined) {
    const memory = await benchNeo4jMemory(neo4j);
    if (json) console.log(JSON.stringify({ memory }));
    else printNeo4jMemory(memory);
    return;
  }
  if (process.argv.includes('memory')) {
    const memory = await benchMemory();
    if (json) console.log(JSON.stringify({ memory }));
    else printMemory(memory);
    return;
  }
  if (process.argv.includes('memory-quality')) {
    const quality = await benchQuality();
    if (json) console.log(JSON.stringify({ quality }));
    else printQuality(quality);
    return;
  }
  if (process.argv.includes('intents')) {
    const intents = await benchIntents();
    if (json) console.log(JSON.stringify({ intents }));
    else printIntents(intents);
    return;
  }
  const tools = await benchTools();
  if (json) console.log(JSON.stringify({ tools }));
  else print(tools);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
