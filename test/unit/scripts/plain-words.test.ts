import { makeFixtureProject } from '../../support/fixture-project';
import { lintTexts, type LintProblem } from '../../support/lint-texts';
import { runModule } from '../../support/run-module';

const INVALID: [what: string, text: string, at: string, word: string][] = [
  ['a word in a line comment', '// Callers are told.\nexport const x = 1;', '1:16', '"told"'],
  ['a word in a block comment', '/* Nobody asks. */', '1:4', '"Nobody"'],
  [
    'a phrase across two lines of a doc comment',
    '/**\n * Waits for so\n * many runs.\n */',
    '2:14',
    '"so many"',
  ],
  ['"where" for a condition', '// It is absent where no key is set.', '1:10', '"absent where"'],
  ['a word in a string', "throw new Error('there is none');", '1:17', '"is none"'],
  ['a word in a template', 'export const m = (n) => `it befalls ${n}`;', '1:25', '"befalls"'],
  ['a word in a name', 'export const whoIsTold = 1;', '1:14', '"told"'],
  ['a word in a name of capitals', 'export const NOBODY_ASKS = 1;', '1:14', '"nobody"'],
  ['a word in a private name', 'export class A {\n  #whoever = 1;\n}', '2:3', '"whoever"'],
  ['a limit that is called MOST_', 'const MOST_RUNS = 1;\nexport const x = MOST_RUNS;', '1:7', 'MOST_RUNS'],
  ['a limit that is called LEAST_', 'export const LEAST_WAIT_MS = 1;', '1:14', 'LEAST_WAIT_MS'],
];

const VALID: [what: string, text: string, options: object][] = [
  ['words that hold a refused one', '// Stolen, toldst, nobodyish: whole words alone are refused.\n', {}],
  ['words of one phrase in two comments', '// It waits so\nexport const x = 1; // many times.\n', {}],
  ['limits', 'export const MAX_RUNS = 1;\nexport const MIN_RUNS = 1;\nexport const MOSTLY = 1;\n', {}],
  ['a regular expression, which is data', 'export const x = /told|nobody/;\n', {}],
  ['strings where they are data', "export const x = 'She told me.';\n", { strings: false }],
  ['comments that wait for a later change', '// Callers are told.\n', { comments: false }],
  ['names that wait for a later change', 'export const told = 1;\n', { names: false }],
];

const NOTHING_BUT_LIMITS = { comments: false, strings: false, names: false };
const LIMIT = 'export const FEWEST_RUNS = 1;';

let found: Map<string, LintProblem[]>;
beforeAll(async () => {
  found = await lintTexts('plain-words', [
    ...INVALID.map(([, text]) => ({ text })),
    ...VALID.map(([, text, options]) => ({ text, options })),
    { text: LIMIT, options: NOTHING_BUT_LIMITS },
  ]);
});

test.each(INVALID)('refuses %s', (_, text, at, word) => {
  const problems = found.get(text) ?? [];
  expect(problems.map(({ line, column }) => `${line}:${column}`)).toEqual([at]);
  expect(problems[0]?.message).toContain(word);
});

test('refuses the name of a limit whatever else is left out', () => {
  expect(found.get(LIMIT)).toHaveLength(1);
});

test.each(VALID)('lets pass %s', (_, text) => {
  expect(found.get(text)).toEqual([]);
});

test('finds the words in documents and in files of other languages, but not in fenced code', async () => {
  const project = makeFixtureProject();
  try {
    project.write('docs/a.md', 'One.\n\n```\nnobody\n```\n\nCallers are told, and there is\nnone.\n');
    project.write('deploy/b.yaml', '# Plain.\nname: whoever\n');
    project.write('Dockerfile', '# For so\n# many machines\n');
    project.write('node_modules.md', 'Plain.\n');
    project.write('data/c.md', 'told\n');
    const code = `return scripts.refusedInDocuments(${JSON.stringify(project.path)});`;
    const found = (await runModule(['checks/documents.mjs'], code).result) as string[];
    expect(found.map((line) => line.split(' is not plain')[0])).toEqual([
      'Dockerfile:1: "so many"',
      'deploy/b.yaml:2: "whoever"',
      'docs/a.md:7: "told"',
      'docs/a.md:7: "is none"',
    ]);
  } finally {
    project.remove();
  }
});
