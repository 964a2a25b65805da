import { execFile, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';
import { buildClient } from '../support/built-client';
import { PROJECT_ROOT, readProjectFile } from '../support/deployment';
import { type Answer, post } from '../support/http';
import { LEXICAL } from '../support/memories';
import { type Service, startService } from '../support/service';
import { makeTempDir } from '../support/temp-dir';

/** A page, and what its first command and its program of the client both say, of the `data` of the command's answer. */
const PAGES: readonly (readonly [page: string, said: (data: Answer['body']) => unknown])[] = [
  ['tools.md', ({ result }) => result],
  ['runs.md', ({ status }) => status],
  ['workflows.md', ({ status }) => status],
  ['agent.md', ({ response }) => response],
];

/** The run that examples look up. */
const WORKFLOW = {
  name: 'Sum',
  steps: [
    {
      id: 'sum',
      type: 'tool_execution',
      config: { toolName: 'calculator', args: { operation: 'add', a: 2, b: 3 } },
      approval: true,
    },
  ],
};

/** What a program has that begins in the middle. */
const DECLARATIONS = {
  client: `import { createClient } from 'holdfast-client';
const client = createClient({ baseUrl: 'http://localhost:3000' });`,
  traceId: `const traceId = process.env['TRACE_ID'] ?? '';`,
  workflowId: `const workflowId = process.env['WORKFLOW_ID'] ?? '';`,
  workflow: `import type { WorkflowDefinition } from 'holdfast-client';
const workflow: WorkflowDefinition = ${JSON.stringify(WORKFLOW)};`,
};

let service: Service;
let env: Record<string, string>;
let program: string;
/** The compiled programs of each page. */
let programs: ReadonlyMap<string, readonly string[]>;
const dir = makeTempDir();

beforeAll(async () => {
  program = join(buildClient(dir.path), 'dist', 'esm', 'cli', 'main.js');
  service = await startService(LEXICAL);
  const [{ approval: _, ...step }] = WORKFLOW.steps as [(typeof WORKFLOW.steps)[number]];
  const { body } = await post(`${service.url}/api/workflow/execute-custom`, {
    workflow: { ...WORKFLOW, steps: [step] },
  });
  const { traceId, workflowId } = body.data;
  env = { PATH: process.env['PATH'] ?? '', TRACE_ID: traceId, WORKFLOW_ID: workflowId };
  programs = compile([...PAGES.map(([page]) => page), 'client.md']);
}, 240_000);
afterAll(async () => {
  await service.stop();
  dir.remove();
});

/** The blocks of a page in a language, with the address of the service. */
function blocksOf(page: string, language: 'sh' | 'ts'): string[] {
  const blocks = readProjectFile(`docs/callers/${page}`).matchAll(/^```(\w+)\n([^]*?)^```$/gm);
  const { host } = new URL(service.url);
  return [...blocks]
    .filter(([, name]) => name === language)
    .map(([, , text = '']) => text.replaceAll(/(localhost|127\.0\.0\.1):3000/g, host));
}

/** Runs a block of commands, of which each has to succeed. @returns the lines that they print, an answer each */
async function runCommands(text: string): Promise<string[]> {
  const script = `set -e
curl() { command curl --fail-with-body -sS "$@"; echo; }
npx() { shift; '${process.execPath}' '${program}' "$@"; }
${text}`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env });
  return stdout.split('\n').filter((line) => line !== '');
}

/** Writes the programs of a page. @returns their names */
function writePrograms(page: string): string[] {
  const { host } = new URL(service.url);
  return blocksOf(page, 'ts').map((text, at) => {
    const isMissing = (name: string): boolean =>
      new RegExp(`\\b${name}\\b`).test(text) && !new RegExp(`const (\\{ )?${name}\\b`).test(text);
    const declarations = Object.entries(DECLARATIONS)
      .filter(([name]) => isMissing(name))
      .map(([, code]) => code.replace('localhost:3000', host));
    const name = `${page.replace('.md', '')}-${at}`;
    writeFileSync(join(dir.path, `${name}.mts`), [...declarations, text].join('\n'));
    return name;
  });
}

function compile(pages: readonly string[]): Map<string, string[]> {
  const names = pages.map((page) => [page, writePrograms(page)] as const);
  const compilerOptions = {
    ...{ target: 'es2022', lib: ['es2022'], module: 'nodenext', strict: true, outDir: 'out' },
    ...{ types: ['node'], typeRoots: [join(PROJECT_ROOT, 'node_modules', '@types')] },
  };
  const files = names.flatMap(([, ofPage]) => ofPage.map((name) => `${name}.mts`));
  writeFileSync(join(dir.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = require.resolve('typescript/bin/tsc');
  expect(spawnSync(process.execPath, [tsc, '-p', dir.path], { encoding: 'utf8' }).stdout).toBe('');
  return new Map(
    names.map(([page, ofPage]) => [page, ofPage.map((name) => join(dir.path, 'out', `${name}.mjs`))]),
  );
}

/** Runs a program, and answers each prompt with the next line. @returns what it prints */
function runProgram(file: string, lines: readonly string[] = []): Promise<string> {
  const child = spawn(process.execPath, [file], { env });
  const left = [...lines];
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stdout.endsWith('\n> ')) child.stdin.write(`${left.shift() ?? ''}\n`);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.once('close', (code) => (code === 0 ? resolve(stdout) : reject(new Error(`${file}: ${stderr}`))));
  });
}

test.each(PAGES)('the examples of %s run, and the client says what the command says', async (page, said) => {
  const answers: Answer['body'][] = [];
  for (const block of blocksOf(page, 'sh'))
    answers.push(...(await runCommands(block)).map((line) => JSON.parse(line)));
  expect(answers.length).toBeGreaterThan(0);
  expect(answers.map(({ success }) => success)).toEqual(answers.map(() => true));

  const files = programs.get(page)!;
  expect(files).toHaveLength(1);
  const answer = answers.find(({ data }) => said(data) !== undefined);
  const text = said(answer.data);
  expect(await runProgram(files[0]!)).toBe(`${typeof text === 'string' ? text : inspect(text)}\n`);
});

test('the examples of client.md run', async () => {
  const [call, chat, upload, run] = programs.get('client.md') as [string, string, string, string];
  expect(await runProgram(call)).toBe('5\n');
  expect(await runProgram(chat, ['My name is Ada'])).toMatch(/^\n> \S[^\n]*\n> $/);
  // It prints nothing, and fails if the file is not taken.
  expect(await runProgram(upload)).toBe('');
  expect(await runProgram(run)).toMatch(/status: 'completed'/);
  const [commands] = blocksOf('client.md', 'sh') as [string];
  expect(await runCommands(commands)).toEqual(['5', expect.stringMatching(/^STARTED +STATUS/)]);
});
