import type { SchemaOutcome } from '../../../src/sandbox/sandbox';
import { HoldfastError } from '../../../src/base/errors';
import { createSchemaChecks, type SchemaChecks } from '../../../src/sandbox/schema-checks';
import { NOW } from '../tools/registry-fixtures';

const never = new AbortController().signal;

let time: number;
/** The checks that have a thread. */
let started: { readonly schema: unknown; pass(): void; fail(error: Error): void }[];
let checks: SchemaChecks;
beforeEach(() => {
  [time, started] = [NOW, []];
  const checkBySchema = (schema: unknown): Promise<SchemaOutcome> =>
    new Promise((resolve, reject) => {
      started.push({ schema, pass: () => resolve({ problems: [] }), fail: reject });
    });
  checks = createSchemaChecks({ checkBySchema }, () => time);
});

const check = (
  server: string,
  schema: Record<string, unknown>,
  { tenant = 'default', signal = never } = {},
) => checks.of({ tenant })(`the server "${server}"`, schema, { value: {} }, signal);
const schemas = () => started.map(({ schema }) => schema);
const settle = () => new Promise(setImmediate);
const tooSlow = () => new HoldfastError('TOOL_TIMEOUT', 'too slow');

test('a server has one check at a time, and others do not wait for it', async () => {
  const first = check('shop', { a: 1 });
  const second = check('shop', { a: 2 });
  const others = [check('bank', { b: 1 }), check('shop', { c: 1 }, { tenant: 'acme' })];
  await settle();
  expect(schemas()).toEqual([{ a: 1 }, { b: 1 }, { c: 1 }]);
  started.forEach(({ pass }) => pass());
  await Promise.all([first, ...others]);
  await settle();
  expect(schemas()).toHaveLength(4);
  started.at(-1)!.pass();
  expect(await second).toEqual({ problems: [] });
});

test('a check that is given up leaves its turn to the next', async () => {
  const caller = new AbortController();
  const first = check('shop', { a: 1 });
  const given = check('shop', { a: 2 }, { signal: caller.signal });
  const next = check('shop', { a: 3 });
  caller.abort(new Error('given up'));
  await expect(given).rejects.toThrow('given up');
  await settle();
  started[0]!.pass();
  await first;
  await settle();
  expect(schemas()).toEqual([{ a: 1 }, { a: 3 }]);
  started[1]!.pass();
  await next;
});

test('a check that takes too long refuses those of its server for a while, and of no other', async () => {
  const slow = check('shop', { a: 1 });
  const waiting = check('shop', { a: 2 });
  await settle();
  started[0]!.fail(tooSlow());
  await expect(slow).rejects.toMatchObject({ code: 'TOOL_EXECUTION_FAILED', retryable: false });
  await expect(waiting).rejects.toThrow(
    'No schema of the server "shop" is checked for 30 s, because a check took longer than 5000 ms',
  );
  time += 29_000;
  await expect(check('shop', { a: 3 })).rejects.toThrow('is checked for 1 s');
  const other = check('bank', { b: 1 });
  time += 1_000;
  const later = check('shop', { a: 4 });
  await settle();
  expect(schemas()).toEqual([{ a: 1 }, { b: 1 }, { a: 4 }]);
  started.forEach(({ pass }) => pass());
  await Promise.all([other, later]);
});
