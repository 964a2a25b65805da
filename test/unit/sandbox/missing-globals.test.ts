import fc from 'fast-check';
import { OWNER, PATIENT, useSandbox } from './support';
import { MISSING_GLOBALS } from '../../../src/sandbox/find-missing-global';

const sandbox = useSandbox();
const NAMES = [...MISSING_GLOBALS.keys()].filter((name) => name !== 'import');

test('the sandbox has none of the names, and Node.js has no common ones that it lacks beside them', async () => {
  const typesOf = `(args) => args.filter((name) => eval('typeof ' + name) !== 'undefined')`;
  expect((await sandbox.run(typesOf, NAMES, PATIENT)).value).toEqual([]);
  const ofNode = ['fetch', 'setTimeout', 'queueMicrotask', 'structuredClone', 'Buffer', 'URL', 'TextEncoder'];
  expect(NAMES).toEqual(expect.arrayContaining(ofNode));
});

test.each([
  ['an arrow function', 'async (args) => {\n  return (await fetch(args.url)).json();\n}', 'fetch', 2, 17],
  ['a body', 'const fs = require("fs");\nreturn fs.readFileSync(args.path, "utf8")', 'require', 1, 12],
  [
    'a method',
    'async execute(args) {\n  await new Promise((r) => setTimeout(r, 9));\n}',
    'setTimeout',
    2,
    28,
  ],
  ['an expression', 'process.env.HOME', 'process', 1, 1],
  ['an import', 'async () => (await import("node:fs")).readdirSync("/")', 'import()', 1, 20],
  ['an inner function', '() => { function f() { return new URL("x:y") } return f() }', 'URL', 1, 35],
  ['a default', '(args, get = fetch) => get(args.url)', 'fetch', 1, 14],
  ['a shorthand property', '() => ({ Buffer })', 'Buffer', 1, 10],
  ['another scope than its declaration', '() => { { let fetch = 1 } return fetch }', 'fetch', 1, 34],
  ['the first of several', '() => { setTimeout(() => fetch("x:")) }', 'setTimeout', 1, 9],
  ['a use beside eval', '(args) => { eval("1"); return fetch(args.url) }', 'fetch', 1, 31],
])('%s names what is missing, and where', async (_, source, missing, line, column) => {
  expect(await sandbox.check(source, OWNER)).toEqual({ missing, line, column, message: expect.any(String) });
});

test.each([
  ['a parameter', '(args, fetch = (url) => url) => fetch(args.url)'],
  ['a part of the arguments', '({ fetch, process: { env } }) => fetch + env'],
  ['a local', 'const process = { env: {} }; return process.env'],
  ['a function that is hoisted', '() => { return fetch(); function fetch() { return 1 } }'],
  [
    'a class, a catch and a label',
    '() => { class URL {} try { throw 1 } catch (window) { return window } process: for (;;) break process }',
  ],
  ['a property', '(args) => args.fetch(args["require"], { setTimeout: 1 })'],
  ['a method of that name', '() => ({ fetch() { return 1 } })'],
  ['texts, comments and patterns', '() => { /* fetch() */ return "require(1)" + `setTimeout` + /process/ }'],
  ['a guard', '() => (typeof fetch === "function" ? fetch("x:") : "none")'],
  ['a property of globalThis', '() => (globalThis.fetch ? fetch("x:") : "none")'],
  ['a name that is looked for', '() => ("fetch" in globalThis ? fetch("x:") : "none")'],
  [
    'a name that is made',
    '() => { Object.defineProperty(globalThis, "atob", { value: () => 1 }); return atob() }',
  ],
  ['a property of this', '(function () { this.atob = () => 1; return atob() })()'],
  ['an assignment', '() => { fetch = () => 1; return fetch() }'],
  ['with', '(args) => { with (args) { return fetch } }'],
  ['a local beside eval', '(fetch) => { eval("1"); return fetch }'],
  ['a name that is known nowhere', '() => unheardOf'],
  ['what the sandbox has', '() => [Math, JSON, Promise, console, Proxy, globalThis, WeakRef]'],
])('%s is none', async (_, source) => {
  expect(await sandbox.check(source, OWNER)).toBeUndefined();
});

test('a declared name is never missing, and a free one always is', async () => {
  const declarations = [
    (name: string) => `(${name}) => { return USE }`,
    (name: string) => `() => { const ${name} = 1; return USE }`,
    (name: string) => `() => { return USE; var ${name} }`,
    (name: string) => `() => { for (let ${name} of []) { USE } }`,
    (name: string) => `({ a: [${name}] }) => USE`,
  ];
  const uses = ['NAME', 'NAME.x', 'NAME(1)', '[...NAME]', '`${NAME}`'];
  const property = fc.asyncProperty(
    fc.constantFrom(...NAMES),
    fc.constantFrom(...declarations),
    fc.constantFrom(...uses),
    fc.boolean(),
    async (name, declare, use, isDeclared) => {
      const source = declare(isDeclared ? name : 'other').replace('USE', () => use.replaceAll('NAME', name));
      expect((await sandbox.check(source, OWNER))?.missing).toBe(isDeclared ? undefined : name);
    },
  );
  await fc.assert(property, { numRuns: 200 });
});

test('source that is long or deep is checked in time, or accepted', async () => {
  const long = `() => { ${'x(1);'.repeat(20_000)} }`;
  expect(await sandbox.check(long, OWNER)).toBeUndefined();
  const deep = `() => ${'['.repeat(400)}fetch${']'.repeat(400)}`;
  expect((await sandbox.check(deep, OWNER))?.missing).toBe('fetch');
});
