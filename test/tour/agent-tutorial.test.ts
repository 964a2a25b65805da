import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { send } from '../support/http';
import { LEXICAL } from '../support/memories';
import { type Service, startService } from '../support/service';

const DOCUMENT = join(__dirname, '..', '..', 'docs', 'callers', 'agent-tutorial.md');

interface Call {
  readonly command: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly printed: unknown;
}

/** The calls of the tutorial, each with the answer that the tutorial prints below it. */
function tutorial(): Call[] {
  const text = readFileSync(DOCUMENT, 'utf8');
  return [...text.matchAll(/```sh\n([^]*?)```\s+```json\n([^]*?)```/g)].map(
    ([, command = '', printed = '']) => {
      const [, data] = /-d '([^']*)'/.exec(command) ?? [];
      const [, method = data === undefined ? 'GET' : 'POST'] = /-X (\w+)/.exec(command) ?? [];
      const [, path = ''] = /localhost:3000(\S*)/.exec(command) ?? [];
      const body: unknown = data === undefined ? undefined : JSON.parse(data);
      return { command, method, path, body, printed: JSON.parse(printed) };
    },
  );
}

/** Removes what differs from day to day. */
function timeless(answer: unknown): unknown {
  const text = JSON.stringify(answer)
    .replaceAll(/\d{4}-\d{2}-\d{2}/g, 'a day')
    .replaceAll(/"[0-9A-HJKMNP-TV-Z]{26}"/g, '"an id"');
  return JSON.parse(text);
}

let service: Service;

// The tutorial lists all tools, so no other suite may register one.
beforeAll(async () => {
  service = await startService(LEXICAL);
});
afterAll(() => service.stop());

test('the ten calls of the tutorial are answered as it says', async () => {
  const calls = tutorial();
  expect(calls).toHaveLength(10);
  for (const { command, method, path, body, printed } of calls) {
    const answer = await send(method, `${service.url}${path}`, body);
    expect({ command, answer: timeless(answer.body) }).toEqual({ command, answer: timeless(printed) });
  }
});
