import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readManifest } from '../../../../src/backup/manifest';
import { describeExcess, findExcess } from '../../../../src/base/json/bounds';
import { readCursor } from '../../../../src/base/cursor';
import { BytesInFlight } from '../../../../src/base/async/bytes-in-flight';
import { HoldfastError } from '../../../../src/base/errors';
import { readAnswer, readPiece } from '../../../../src/llm/openai/answer';
import { importRows } from '../../../../packages/records/domain/import/import-rows';
import type { RecordStore } from '../../../../packages/records/stores/record-store';
import { toNodes } from '../../../../src/stores/neo4j/memory/rows';
import { createJsonReader } from '../../../../src/tools/builtin/json-reader';
import { createToolRunner } from '../../../../src/tools/runner';
import { toolContext } from '../../tools/builtin/context';
import type { Parser } from './parser';

const noSandbox = { queryJson: () => Promise.resolve([]) };

/** A store without records, which takes any. */
const noRecords = {
  get: () => Promise.resolve(undefined),
  getMany: () => Promise.resolve(new Map()),
  write: () => Promise.resolve([]),
} as unknown as RecordStore;

async function importRow(text: string): Promise<void> {
  const { errors } = await importRows([text], {
    store: noRecords,
    importId: 'one',
    startedAt: '2026-06-01T00:00:00.000Z',
    firstLine: 1,
    storeFirstLook: (lines) => Promise.resolve(lines),
  });
  if (errors.length > 0) throw new HoldfastError('VALIDATION', errors[0]!.message);
}

/** A tool that passes on what another side has sent. */
async function runTool(value: unknown): Promise<unknown> {
  const run = (): Promise<{ value: unknown }> => Promise.resolve({ value });
  const tool = { name: 'tool', description: '', inputSchema: {}, run };
  const runner = createToolRunner({
    builtins: new Map([['tool', tool]]),
    sandbox: undefined as never,
    checks: undefined as never,
    http: undefined as never,
    remote: undefined as never,
    inFlight: new BytesInFlight(Infinity),
    maxResultBytes: 1_000_000,
  });
  const step = {
    toolName: 'tool',
    args: {},
    implementation: { kind: 'builtin' } as const,
    step: '1',
    deadline: Date.now() + 60_000,
    limits: { timeoutMs: 60_000, source: 'TOOL_TIMEOUT_MS' as const, maxAttempts: 1 },
  };
  const output = await runner.run(step, {
    owner: { tenant: 'default' },
    cancellation: new AbortController().signal,
    attempt: 1,
  });
  return JSON.stringify(output);
}

function requireRead<T>(read: T | undefined): T {
  if (read === undefined) throw new HoldfastError('MODEL_UNAVAILABLE', 'not in the form of the chat API');
  return read;
}

const BOUNDS = { levels: 100, values: 1_000 };

/** Parsers that get their input from the caller. @param folder for files */
export function localParsers(folder: string): readonly Parser[] {
  return [
    {
      name: 'the walk of values',
      sample: { a: [1, { b: null }] },
      codes: ['VALIDATION'],
      takesValues: true,
      parse({ value }) {
        const excess = findExcess(value, BOUNDS);
        if (excess !== undefined) throw new HoldfastError('VALIDATION', describeExcess(excess, BOUNDS));
        return JSON.stringify(value);
      },
    },
    {
      name: 'the answer of a model, parsed',
      sample: {
        choices: [
          {
            finish_reason: 'stop',
            message: {
              content: [{ type: 'text', text: 'a' }],
              tool_calls: [{ id: '1', function: { name: 'f', arguments: '{}' } }],
            },
          },
        ],
        usage: { prompt_tokens: 1, completion_tokens: 1 },
      },
      codes: ['MODEL_UNAVAILABLE'],
      takesValues: true,
      parse: ({ value }) => requireRead(readAnswer(value)),
    },
    {
      name: 'a piece of an answer of a model, parsed',
      sample: { choices: [{ finish_reason: 'stop', delta: { content: 'a' } }], usage: null },
      codes: ['MODEL_UNAVAILABLE'],
      takesValues: true,
      parse: ({ value }) => requireRead(readPiece(value)),
    },
    {
      name: 'the result of a tool',
      sample: { status: 200, data: { a: [1, { b: 'c' }] } },
      codes: ['TOOL_EXECUTION_FAILED'],
      takesValues: true,
      parse: ({ value }) => runTool(value),
    },
    {
      name: 'a document of the JSON reader',
      sample: { a: [{ b: 1 }] },
      codes: ['TOOL_EXECUTION_FAILED'],
      parse: ({ text }) =>
        createJsonReader(noSandbox)
          .run({ jsonString: text, path: '$..b' }, toolContext())
          .then(JSON.stringify),
    },
    {
      name: 'a row of an import',
      sample: {
        collection: 'facilities',
        id: 'a',
        name: 'A',
        kind: 'farm',
        address: { city: 'Aurillac', countryCode: 'FR' },
      },
      codes: ['VALIDATION'],
      parse: ({ text }) => importRow(text),
    },
    {
      name: 'the cursor of a page',
      sample: ['a', 1],
      codes: ['VALIDATION'],
      parse: ({ text }) =>
        readCursor(Buffer.from(text).toString('base64url'), z.tuple([z.string(), z.number()])),
    },
    {
      name: 'the manifest of a backup',
      sample: {
        format: 1,
        startedAt: '',
        finishedAt: '',
        files: [{ path: 'a', bytes: 1, sha256: '' }],
      },
      codes: ['CONFIGURATION'],
      parse({ text }) {
        writeFileSync(join(folder, 'backup.json'), text);
        return readManifest(folder);
      },
    },
    {
      name: 'a memory of a Neo4j server',
      sample: { id: 'a', content: 'b', metadata: { c: 1 } },
      codes: ['SyntaxError'],
      parse: ({ text }) => JSON.stringify(toNodes({ state: text, reads: null })),
    },
  ];
}
