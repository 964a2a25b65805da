import { CONVERSATION_TAG } from '../../../../src/contracts/http/conversations';
import { newId } from '../../../../src/base/ids';
import { toEpisodicNode } from '../../../../src/memory/nodes/episodic-node';
import type { MemoryNode } from '../../../../src/stores/memory/node';
import { createRepeatFilter } from '../../../../src/memory/search/recall';

const isLeftOut = createRepeatFilter('Where do I live?');

function said(content: string, source: string, tags = [CONVERSATION_TAG]): MemoryNode {
  const memory = { userId: 'ada', sessionId: 'monday', content, metadata: { source, tags } };
  const node = toEpisodicNode(memory, { id: newId(), timestamp: 1_000 });
  return { ...node, revision: 1, readCount: 0, readAt: null };
}

test.each([
  // What the service says today.
  'You told me on 2026-11-01: Porto.',
  'You told me: Lisbon (2026-10-01), Porto (2026-11-01).',
  'You told me on 2026-10-01: Lisbon (until 2026-11-01).',
  'You told me on 2026-10-01: Acme. Since 2026-11-01 this is no longer so, and I know of nothing in its place.',
  'No. You told me on 2026-10-01: Acme. Since 2026-11-01 this is no longer so, and I know of nothing in its place.',
  'You told me on 2026-10-03: “I usually run on Tuesdays”.',
  'Yes. You told me on 2026-10-03: “I run”.',
  'You told me: name: Dana; likes: tea, cocoa.',
  'You told me on 2026-10-03: “My rent is 900 euros”\nTo work with what you said takes a language model, and none was asked.',
  'Noted: “my sister lives in Lisbon”.',
  'From what I know about Zorgon: A planet.',
  // What earlier builds said.
  'You told me on 2026-11-20: you prefer tea.',
  'You told me: you prefer tea (2026-11-20); and you like cocoa (2026-11-02).',
  'No. You told me on 2026-11-02: you never eat fish.',
  'You told me: Cardiff.',
  'You told me of a change, and I am not sure what holds now.',
  'You told me that of others, and not of yourself.',
  'That is no longer so, and I know of nothing in its place.',
  'You said on 2026-11-02: “I live in Leeds”',
  'I said on 2026-11-02: “You live in Leeds”',
  'I have kept: preferences: tea.',
  'I have this on it: tea is kept in the tin',
  'Noted: your name is Dana, and you prefer tea.',
])('an answer that repeats a memory is not recalled: %s', (answer) => {
  expect(isLeftOut(said(answer, 'assistant'))).toBe(true);
  // A caller may have stored the conversation.
  expect(isLeftOut(said(answer, 'assistant', []))).toBe(true);
  expect(isLeftOut(said(answer, 'user'))).toBe(false);
});

test.each(['You told me you like tea, so try the blue tin.', 'Lisbon is by the sea.', 'Noted.'])(
  'another answer is: %s',
  (answer) => {
    expect(isLeftOut(said(answer, 'assistant'))).toBe(false);
  },
);
