import { lintTexts, type LintProblem } from '../../support/lint-texts';

type Case = readonly [what: string, text: string];

interface RuleCases {
  readonly refused: readonly (readonly [...Case, at: readonly string[]])[];
  readonly passed: readonly Case[];
}

const RULES: Readonly<Record<string, RuleCases>> = {
  'conditional-spread': {
    refused: [
      ['a variable', 'f({ ...(a === undefined ? {} : { a }) });', ['1:34']],
      ['a variable under its own name', 'f({ ...(a === undefined ? {} : { a: a }) });', ['1:34']],
      ['a member', 'f({ b, ...(x.y.a === undefined ? {} : { a: x.y.a }) });', ['1:41']],
    ],
    passed: [
      ['a plain property', 'f({ a, b: x.b });'],
      ['another name', 'f({ ...(a === undefined ? {} : { b: a }) });'],
      ['a name that is computed', 'f({ ...(a === undefined ? {} : { [a]: a }) });'],
      ['a value made of it', 'f({ ...(a === undefined ? {} : { a: String(a) }) });'],
      ['several properties', 'f({ ...(a === undefined ? {} : { a, b }) });'],
      ['a default', 'f({ ...(a === undefined ? { b: 1 } : { a }) });'],
      ['another condition', "f({ ...(a === 'any' ? {} : { a }), ...(b === null ? {} : { b }) });"],
      ['an element of a list', 'f([...(a === undefined ? [] : [a])]);'],
    ],
  },
  'bare-participles': {
    refused: [
      ['variables', 'const found = 1;\nlet kept = found;\nkept += 1;', ['1:7', '2:5']],
      ['parameters', 'function f(own: string, [said]: string[]) {}', ['1:12', '1:26']],
      ['a parameter of an arrow function', 'f((asked) => asked.a);', ['1:4']],
      ['a parameter of a type', 'type F = (asked: string) => void;', ['1:11']],
      ['a property of a constructor', 'class A { constructor(readonly found: string) {} }', ['1:32']],
      ['a function', 'function said() {}', ['1:10']],
      ['what a pattern renames', 'const { message: own } = f();', ['1:18']],
      ['the rest of an object', 'const { a, ...kept } = f();', ['1:15']],
      ['an import', "import * as said from './a';", ['1:13']],
    ],
    passed: [
      ['names with a noun', 'const foundRun = 1;\nconst ownTools = foundRun;'],
      ['properties', 'f({ found: 1, kept: 2 }).said;\ninterface A { asked: string }'],
      ['a property that a pattern reads', 'const { kept, found = [] } = f();'],
      ['a method', 'class A { own() {} }'],
    ],
  },
};

describe.each(Object.entries(RULES))('%s', (rule, { refused, passed }) => {
  let problems: Map<string, LintProblem[]>;
  beforeAll(async () => {
    problems = await lintTexts(
      rule,
      [...refused, ...passed].map(([, text]) => ({ text })),
    );
  });

  it.each(refused)('refuses %s', (_, text, at) => {
    expect(problems.get(text)?.map(({ line, column }) => `${line}:${column}`)).toEqual(at);
  });

  it.each(passed)('lets pass %s', (_, text) => {
    expect(problems.get(text)).toEqual([]);
  });
});
