import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import type { Caller } from '../../../../../src/access/caller';
import { createSecretBox, KEY_BYTES } from '../../../../../src/secrets/secret-box';
import { createCallStates, createTaskIds } from '../../../endpoint/task-ids';

const key = randomBytes(KEY_BYTES);
const secrets = createSecretBox(key);
const ids = createTaskIds(secrets);
const run = { workflowId: 'execute-tool/api_call/1', runId: '0193-1' };
const callerOf = (id?: string): Caller => ({ id, tenant: 'default', scopes: [] }) as unknown as Caller;
const ann = callerOf('key-ann');

test('an id is opened by its caller, in every process with the key', () => {
  const id = ids.seal(run, ann);
  expect(createTaskIds(createSecretBox(key)).open(id, ann)).toEqual(run);
  expect(id).not.toContain(Buffer.from(run.workflowId).toString('base64url'));
  expect(id).toMatch(/^v1\.[\w-]+$/);
  expect(ids.open(ids.seal(run, callerOf()), callerOf())).toEqual(run);
});

test('two ids of one task differ, so that none can be guessed from another', () => {
  expect(ids.seal(run, ann)).not.toBe(ids.seal(run, ann));
});

test('another caller, another purpose and another key open nothing', () => {
  const id = ids.seal(run, ann);
  expect(ids.open(id, callerOf('key-bob'))).toBeUndefined();
  expect(ids.open(id, callerOf())).toBeUndefined();
  expect(ids.open(ids.seal(run, callerOf()), ann)).toBeUndefined();
  expect(createCallStates(secrets).open(id, ann)).toBeUndefined();
  expect(ids.open(createCallStates(secrets).seal({ ...run, tool: 'pay' }, ann), ann)).toBeUndefined();
  // Subjects of tokens may be the same in two tenants.
  expect(ids.open(id, { ...ann, tenant: 'acme' })).toBeUndefined();
  const others = createTaskIds(createSecretBox(randomBytes(KEY_BYTES)));
  expect(others.open(id, ann)).toBeUndefined();
});

test('an id with any other byte opens nothing, and neither does any other text', () => {
  const [version, sealed = ''] = ids.seal(run, ann).split('.');
  const bytes = Buffer.from(sealed, 'base64url');
  const anyByte = fc.integer({ min: 0, max: bytes.length - 1 });
  fc.assert(
    fc.property(anyByte, fc.integer({ min: 1, max: 255 }), (at, change) => {
      const altered = Buffer.from(bytes);
      altered[at]! ^= change;
      return ids.open(`${version}.${altered.toString('base64url')}`, ann) === undefined;
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => ids.open(text, ann) === undefined));
});
