import { CONVERSATION_TAG } from '../../../../src/contracts/http/conversations';
import { toEpisodicNode } from '../../../../src/memory/nodes/episodic-node';
import { planSummaries } from '../../../../src/memory/upkeep/plan-summaries';
import type { MemoryNode } from '../../../../src/stores/memory/node';
import type { ListQuery } from '../../../../src/stores/memory/search';

const AT = Date.parse('2026-01-02T03:04:05.678Z');

function toMessage(content: string, n: number, source = 'user'): MemoryNode {
  const metadata = { source, tags: [CONVERSATION_TAG] };
  const memory = { userId: 'ada', sessionId: 's', content, metadata };
  const identity = { id: `m${String(n).padStart(4, '0')}`, timestamp: AT + n };
  return { ...toEpisodicNode(memory, identity), revision: 1, readCount: 0, readAt: null };
}

/** Plans the summary of one session. @param messages the first message first */
function plan(messages: readonly MemoryNode[], saysFacts: (memoryId: string) => boolean = () => false) {
  const latestFirst = [...messages].reverse();
  const graph = {
    list: ({ kind, after, limit }: ListQuery) => {
      const start = after === undefined ? 0 : latestFirst.findIndex(({ id }) => id === after.id) + 1;
      return Promise.resolve(kind === 'episodic' ? latestFirst.slice(start, start + limit) : []);
    },
    relatedOfMany: () => Promise.resolve(new Map()),
  };
  const sessions = new Map([['s', { messages: messages.length, from: AT, to: AT + messages.length }]]);
  const options = { before: AT + 10_000, longSession: 3 };
  return planSummaries({ graph, newId: () => 'x' }, { userId: 'ada', options, sessions, saysFacts });
}

test('a summary quotes what the user stated, in order, without facts, questions and words of the assistant', async () => {
  const messages = [
    toMessage('The violin lesson begins at the town hall.', 0),
    toMessage('I carried the violin through the snow today.', 1),
    toMessage('The violin has a crack, says the assistant.', 2, 'assistant'),
    toMessage('Where is the violin that I have tuned?', 3),
    toMessage('My violin teacher is called Mrs Lund.', 4),
  ];
  const { summaries } = await plan(messages, (id) => id === 'm0004');
  expect(summaries.map(({ summary }) => summary)).toEqual([
    '5 messages on 2026-01-02. Topics: violin. ' +
      '“The violin lesson begins at the town hall.” “I carried the violin through the snow today.”',
  ]);
});

test('others are served while the topics of a long session are counted', async () => {
  const words = (n: number): string => Array.from({ length: 60 }, (_, at) => `w${n}x${at}`).join(' ');
  let isOver = false;
  let others = 0;
  const serve = (): void => {
    others += 1;
    if (!isOver) setImmediate(serve);
  };
  setImmediate(serve);
  const { summaries } = await plan(Array.from({ length: 1_000 }, (_, n) => toMessage(words(n), n)));
  isOver = true;
  expect(summaries).toHaveLength(1);
  expect(others).toBeGreaterThanOrEqual(5);
});
