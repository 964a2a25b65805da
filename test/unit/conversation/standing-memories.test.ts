import { NOTHING_RECALLED } from '../../../src/contracts/runs/nothing-recalled';
import { standingMemories } from '../../../src/conversation/standing-memories';
import { foldFacts } from '../../../src/memory/facts/fold';

const at = (second: number): string => new Date(second * 1_000).toISOString();
const said = {
  subject: 'user',
  attribute: 'employer',
  value: 'Acme',
  single: true,
  start: 0,
  end: 15,
} as const;
const FACTS = foldFacts([
  { memoryId: 'began', at: 1_000, said: [{ ...said, change: 'holds' }] },
  { memoryId: 'left', at: 3_000, said: [{ ...said, change: 'ends' }] },
]);
const replies = [
  ['stale', 'Noted: you work at Acme.', 2],
  ['also stale', 'Yes. You told me: you work at Acme.', 2],
  ['of something else', 'Noted: you like tea.', 2],
  ['no repeat', 'Acme was founded in 1999.', 2],
  ['later', 'You told me: you no longer work at Acme.', 4],
].map(([id, content, second]) => ({
  id: id as string,
  role: 'assistant' as const,
  content: content as string,
  timestamp: at(second as number),
}));

function idsOf(certain: boolean, facts = FACTS): string[] {
  const { recent } = standingMemories({ ...NOTHING_RECALLED, recent: replies }, facts, certain);
  return recent.map(({ id }) => id);
}

test('rules do not read the replies that repeat what has ended since, and models do', () => {
  expect(idsOf(true)).toEqual(['of something else', 'no repeat', 'later']);
  expect(idsOf(false)).toHaveLength(replies.length);
});

test('a reply that repeats what holds again is read', () => {
  const again = foldFacts([
    { memoryId: 'began', at: 1_000, said: [{ ...said, change: 'holds' }] },
    { memoryId: 'left', at: 3_000, said: [{ ...said, change: 'ends' }] },
    { memoryId: 'again', at: 5_000, said: [{ ...said, change: 'holds' }] },
  ]);
  expect(idsOf(true, again)).toHaveLength(replies.length);
});
