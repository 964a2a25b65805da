import { unwrapValue } from '../../../src/sandbox/outcomes';
import { expectAlive, failureOf, PATIENT, useSandbox } from './support';

const sandbox = useSandbox();
afterEach(() => expectAlive(sandbox));

const DEEP = `'['.repeat(300) + ']'.repeat(300)`;

describe('code that changes what built-ins do cannot replace its outcome', () => {
  const forge = (owner: string, outcome: string): string =>
    `${owner}.then = function (resolve) { delete ${owner}.then; resolve(${outcome}) };`;
  const forgeByGetter = (owner: string, outcome: string): string =>
    `let asked = 0; Object.defineProperty(${owner}, 'then', { configurable: true, get() {
       if ((asked += 1) > 1) return undefined;
       return (resolve) => resolve(${outcome});
     } });`;

  test.each([
    ['then of arrays, with text that is no JSON', forge('Array.prototype', `['value', '{{']`)],
    ['then of arrays, with text nested too deeply', forge('Array.prototype', `['value', ${DEEP}]`)],
    ['then of arrays, with an outcome that has no text', forge('Array.prototype', `['thrown']`)],
    ['then of arrays, with an object', forge('Array.prototype', `{ kind: 'value', text: '{{' }`)],
    ['then of objects, with text that is no JSON', forge('Object.prototype', `['value', '{{']`)],
    ['then of objects, with another form', forge('Object.prototype', `{ kind: 'value', text: '{{' }`)],
    ['a getter of then of arrays', forgeByGetter('Array.prototype', `['value', '{{']`)],
    ['a getter of then of objects', forgeByGetter('Object.prototype', `['value', '{{']`)],
    ['JSON.stringify', `JSON.stringify = () => '{{';`],
    ['JSON', `globalThis.JSON = { parse: () => '{{', stringify: () => '{{' };`],
    ['toJSON of strings', `String.prototype.toJSON = () => '{{';`],
    ['toJSON of objects', `Object.prototype.toJSON = () => '{{';`],
    [
      'a getter of toJSON of objects',
      `Object.defineProperty(Object.prototype, 'toJSON', { get() { throw new Error('asked') } });`,
    ],
    ['Symbol.toPrimitive of strings', `String.prototype[Symbol.toPrimitive] = () => '{{';`],
    ['toString of strings', `String.prototype.toString = String.prototype.valueOf = () => '{{';`],
    ['Promise.prototype.then', `Promise.prototype.then = function (resolve) { resolve('{{') };`],
    ['Promise', `globalThis.Promise = class { then(resolve) { resolve('{{') } };`],
    [
      'the constructor of promises',
      `Object.defineProperty(Promise.prototype, 'constructor', { get() { return function () {} } });`,
    ],
    [
      'the places of arrays',
      `for (const at of [0, 1, 2]) Object.defineProperty(Array.prototype, at, { set() {}, get: () => '{{' });`,
    ],
    [
      'the properties of an outcome',
      `for (const key of ['kind', 'text', 'stack'])
         Object.defineProperty(Object.prototype, key, { set() {}, get: () => '{{' });`,
    ],
    ['Array.isArray and Object.create', `Array.isArray = () => true; Object.create = () => ({ then() {} });`],
    ['Reflect.apply', `Reflect.apply = Function.prototype.call = Function.prototype.apply = () => '{{';`],
  ])('%s', async (_, change) => {
    expect(await sandbox.run(`() => { ${change} return 'own' }`, {}, PATIENT)).toEqual({
      value: 'own',
      logs: [],
    });
    expect(await sandbox.run(`async () => { ${change} return 7 }`, {}, PATIENT)).toEqual({
      value: 7,
      logs: [],
    });
  });

  test.each([
    ['then of arrays', forge('Array.prototype', `['value', '{{']`)],
    ['then of objects', forge('Object.prototype', `['value', '{{']`)],
    ['JSON.stringify', `JSON.stringify = () => '{{';`],
    ['toJSON of strings', `String.prototype.toJSON = () => 5;`],
  ])('nor its error: %s', async (_, change) => {
    const error = await failureOf(sandbox.run(`() => { ${change} throw new Error('no luck') }`, {}, PATIENT));
    expect([error.code, error.message]).toEqual(['TOOL_EXECUTION_FAILED', 'Error: no luck (line 1)']);
  });

  test('nor what is wrong with its result', async () => {
    const change = forge('Array.prototype', `['value', '{{']`);
    const error = await failureOf(sandbox.run(`() => { ${change} return { a: 1n } }`, {}, PATIENT));
    expect(error.message).toBe('The result has a BigInt at a, which JSON cannot hold');
  });

  test.each([
    ['nothing', 'undefined'],
    ['a function', '() => 1'],
    ['an object', '{ length: 1 }'],
    ['an object that is long', '{ length: 5000, toString: () => { throw new Error("no") } }'],
  ])('nor by a stack that is text and then %s', async (_, then) => {
    const source = `() => { let reads = 0;
      throw { message: 'no luck', get stack() { return (reads += 1) > 1 ? (${then}) : 'at tool.js:3' } } }`;
    const error = await failureOf(sandbox.run(source, {}, PATIENT));
    expect([error.code, error.message]).toEqual([
      'TOOL_EXECUTION_FAILED',
      expect.stringContaining('Error: no luck'),
    ]);
  });
});

test('a reply that is no JSON is an error of the tool', () => {
  const outcome = { kind: 'value', text: '{{', logs: ['a line'] } as const;
  expect(() => unwrapValue(outcome, PATIENT, 'tool')).toThrow(
    expect.objectContaining({ code: 'TOOL_EXECUTION_FAILED', details: { logs: ['a line'] } }),
  );
});
