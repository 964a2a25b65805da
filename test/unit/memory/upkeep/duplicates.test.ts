import { toEpisodicNode } from '../../../../src/memory/nodes/episodic-node';
import { toCompared } from '../../../../src/memory/upkeep/duplicates';
import type { MemoryNode } from '../../../../src/stores/memory/node';

test('the text of a memory is kept only where its embedding may be compared', () => {
  const compare = (content: string, isFact: boolean) => {
    const node = toEpisodicNode({ userId: 'ada', sessionId: 's', content }, { id: 'm1', timestamp: 1 });
    const fact = {
      subject: 'user',
      attribute: 'home',
      value: 'Rome',
      change: 'holds',
      single: true,
    } as const;
    const said = isFact ? [{ ...fact, start: 0, end: content.length }] : [];
    return toCompared({ ...node, revision: 1, readCount: 0, readAt: null } satisfies MemoryNode, said, false);
  };
  expect(compare('I live in Rome.', true)).toMatchObject({ text: 'I live in Rome.' });
  expect(JSON.stringify(compare('x'.repeat(10_000), false)).length).toBeLessThan(1_000);
});
