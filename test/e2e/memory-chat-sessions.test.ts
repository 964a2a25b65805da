import { startChatSessions } from '../support/chat-sessions';
import { LEXICAL } from '../support/memories';
import { initializedMemoryChat } from '../support/memory-chat';
import type { Service } from '../support/service';

jest.setTimeout(600_000);

let service: Service;

beforeAll(async () => {
  service = await initializedMemoryChat(LEXICAL);
});
afterAll(() => service.stop());

test('50 sessions of 20 turns at once: all in order, and nobody hears of anybody else', async () => {
  const sessions = startChatSessions(service, 50, 20);
  await sessions.done;
  expect(sessions.answered()).toBe(1_000);
  await sessions.check();
});
