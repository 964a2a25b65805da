import type { TurnMessage } from '../../../../src/contracts/runs/turns';
import type { EpisodicMemory } from '../../../../src/contracts/http/memory';
import { createMessages } from '../../../../src/memory/service/messages';

const message = (id: string): TurnMessage => ({
  id,
  userId: 'u',
  sessionId: 's',
  role: 'user',
  content: id,
  timestamp: 1,
  turn: 't',
});

test('an attempt that was given up stores no further message', async () => {
  const attempt = new AbortController();
  const reason = new Error('given up');
  const stored: string[] = [];
  const messages = createMessages(
    {
      create: (_memory, identity) => {
        stored.push(identity?.id ?? '');
        // The request is given up while the first message is being stored.
        attempt.abort(reason);
        return Promise.resolve({} as EpisodicMemory);
      },
    },
    100,
  );
  await expect(messages.store([message('one'), message('two')], attempt.signal)).rejects.toBe(reason);
  expect(stored).toEqual(['one']);
});
