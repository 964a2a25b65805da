import type { Recalled } from '../../../src/contracts/http/conversations';
import { MODEL_NEEDED } from '../../../src/conversation/model-needed';
import { recalledTexts } from '../../../src/conversation/recalled-texts';
import { NOTHING_RECALLED } from '../../../src/contracts/runs/turns';

const recent = (id: string, length: number): Recalled['recent'][number] => ({
  id,
  role: 'user',
  content: 'x'.repeat(length),
  timestamp: '2026-01-02T03:04:05.678Z',
});

const semantic = (id: string, similarityScore: number, length: number): Recalled['semantic'][number] => ({
  id,
  userId: 'ada',
  concept: 'c',
  description: 'x'.repeat(length),
  metadata: {
    category: 'general',
    confidence: 0.5,
    source: 'user',
    lastAccessed: '2026-01-02T03:04:05.678Z',
    accessCount: 0,
  },
  relationships: { similar: [], children: [], related: [] },
  similarityScore,
});

test('a notice of the service that a model is needed is not read, and other messages are', () => {
  const messages = [
    {
      ...recent('notice', 1),
      role: 'assistant' as const,
      content: `You told me: “x”\n${MODEL_NEEDED.failed}`,
    },
    { ...recent('answer', 1), role: 'assistant' as const },
    { ...recent('said', 1), content: MODEL_NEEDED.failed },
  ];
  const ids = recalledTexts({ ...NOTHING_RECALLED, recent: messages }).map(({ id }) => id);
  expect(ids).toEqual(['answer', 'said']);
});

test('of long memories the most relevant are read, in the order in which they were recalled', () => {
  const recalled = {
    ...NOTHING_RECALLED,
    semantic: Array.from({ length: 60 }, (_, at) => semantic(`m${at}`, (at % 30) / 30, 10_000 - 3)),
  };
  const ids = recalledTexts(recalled).map(({ id }) => id);
  expect(ids).toEqual([25, 26, 27, 28, 29, 55, 56, 57, 58, 59].map((at) => `m${at}`));
});

test('a shorter one that is less relevant is read if there is room for it', () => {
  const long = Array.from({ length: 10 }, (_, at) => semantic(`m${at}`, 0.9, 9_900));
  const recalled = { ...NOTHING_RECALLED, semantic: long, recent: [recent('r1', 2_000), recent('r2', 500)] };
  const ids = recalledTexts(recalled).map(({ id }) => id);
  expect(ids).toEqual([...long.map(({ id }) => id), 'r2']);
});
