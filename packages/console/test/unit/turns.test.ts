import type { Run } from '../../src/api/step';
import { readTurn } from '../../src/panes/chat/answer-of-turn';
import { isName } from '../../src/hash';

const RUN: Run = {
  traceId: 't',
  runId: 't',
  workflowId: 'agent-turn/a/b',
  type: 'agentTurn',
  status: 'completed',
  startedAt: '2026-01-01T10:00:00.000Z',
  closedAt: '2026-01-01T10:00:12.400Z',
};

const STEP = {
  name: 'answerTurn',
  kind: 'model',
  status: 'running',
  attempts: 1,
  scheduledAt: RUN.startedAt,
} as const;

test('a line says what a turn of the agent used, with the price that its usage keeps', () => {
  const metadata = { agent: { id: 'clerk', version: 2 }, sources: ['m'], degraded: [{ service: 'graphdb' }] };
  const result = { response: 'Yes.', intent: { type: 'tool_execution' }, toolResults: [{}, {}], metadata };
  const usage = { promptTokens: 1_200, completionTokens: 4, totalTokens: 1_204, costUsd: 0.003 };
  const { text, figures } = readTurn({ ...RUN, usage, result }, []);
  expect([text, figures.join(' · ')]).toEqual([
    'Yes.',
    'clerk · tool execution · 1 memory · 2 tools · 1,204 tokens · 12.4 s · $0.0030 · degraded',
  ]);
});

test('a turn of memory chat, one at the minimal level and one that is still said are read too', () => {
  const chat = { message: 'In Poznan.', sources: ['a', 'b'], degraded: [], metadata: { modelUsed: 'm' } };
  const said = readTurn({ ...RUN, input: { message: 'Where?' }, result: chat }, []);
  expect([said.query, said.text, said.figures]).toEqual(['Where?', 'In Poznan.', ['2 memories', '12.4 s']]);
  const minimal = { response: 'Yes.', intent: { type: 'hybrid' } };
  expect(readTurn({ ...RUN, input: 'a note', result: minimal }, [])).toMatchObject({
    query: 'a note',
    figures: ['hybrid', '12.4 s'],
  });
  const open = readTurn({ ...RUN, closedAt: null, input: { query: 'Tell' } }, [
    { ...STEP, id: 'plan', text: 'earlier' },
    { ...STEP, id: 'answer', text: 'Once ' },
    { ...STEP, id: 'store' },
  ]);
  expect([open.text, open.figures]).toEqual(['Once ', []]);
});

test('what the API refuses as a name is not asked for', () => {
  const names = [
    'ann',
    'Ann & Bob <b>',
    '漢',
    'x'.repeat(200),
    'x'.repeat(201),
    '',
    '.',
    '..',
    'a\nb',
    '\ud800',
  ];
  expect(names.filter((name) => !isName(name))).toEqual(names.slice(4));
});
