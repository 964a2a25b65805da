import { startChatSessions } from '../support/chat-sessions';
import { sharedMemoryChat } from '../support/memory-chat';
import type { SharedService } from '../support/service';
import { pickCount } from '../support/thorough';

jest.setTimeout(600_000);

let service: SharedService;

beforeAll(async () => {
  service = await sharedMemoryChat();
});
afterAll(() => service.stop());

const SESSIONS = pickCount(20, 50);
const TURNS = pickCount(5, 20);

test('sessions at once: all in order, and none has what another user said', async () => {
  const sessions = startChatSessions(service, SESSIONS, TURNS);
  await sessions.done;
  expect(sessions.answered()).toBe(SESSIONS * TURNS);
  await sessions.check();
});
