// Calls OpenAI's client as lines of JSON on standard input say, all at the same time, and writes what it gives as lines of JSON:
// `driver.mjs FOLDER`, the folder whose node_modules has the client.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const { OpenAI } = createRequire(join(process.argv[2], 'package.json'))('openai');

const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

async function run({ id, url, key, path, args, params, until }) {
  try {
    const client = new OpenAI({ baseURL: url, apiKey: key, maxRetries: 0 });
    const names = path.split('.');
    const method = names.pop();
    const target = names.reduce((object, name) => object[name], client);
    // Streams have an abort controller; pages, which can be iterated as well, have none.
    let result = await target[method](...args, params);
    if (result?.controller instanceof AbortController) {
      for await (const event of result) {
        write({ id, event });
        if (until !== undefined && event.type === until) break;
      }
      result = undefined;
    }
    write({ id, result: result?.data === undefined ? (result ?? null) : { data: result.data } });
  } catch (error) {
    const { status, code, param, message } = error;
    write({ id, error: { name: error.constructor.name, message, status, code, param } });
  }
}

for await (const line of createInterface({ input: process.stdin })) void run(JSON.parse(line));
