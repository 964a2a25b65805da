import type { Answer, Paths } from './http';
import { type Service, type SharedService, startService } from './service';
import { useService } from './use-service';

type Caller = Pick<Paths, 'get' | 'post'>;

export function initializeMemoryChat({ post }: Caller, config: object = {}): Promise<Answer> {
  return post('/api/memory-chat/initialize', { config });
}

/** A service of one suite, whose memory chat is ready to be used. */
export function initializedMemoryChat(env: Readonly<Record<string, string>> = {}): Promise<Service> {
  return initialized(startService(env));
}

/** The service of `useService`, whose memory chat is ready to be used. */
export function sharedMemoryChat(): Promise<SharedService> {
  return initialized(useService());
}

async function initialized<T extends SharedService>(starting: Promise<T>): Promise<T> {
  const service = await starting;
  const { status, text } = await initializeMemoryChat(service);
  if (status === 200) return service;
  await service.stop();
  throw new Error(`memory chat was not initialized: ${status} ${text}`);
}

export interface ChatFields {
  readonly userId?: string;
  readonly sessionId?: string;
  readonly message?: unknown;
  readonly includeMemories?: boolean;
  readonly options?: object;
}

export function chat(
  { post }: Caller,
  fields: ChatFields,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return post('/api/memory-chat/chat', { sessionId: 'session-1', message: 'hello', ...fields }, headers);
}

export interface Message {
  readonly id: string;
  readonly content: string;
  readonly timestamp: string;
  readonly type: 'user' | 'assistant';
}

/** All messages of a session, read page by page. */
export async function historyOf(
  { get }: Caller,
  userId: string,
  sessionId = 'session-1',
): Promise<Message[]> {
  const messages: Message[] = [];
  const path = `/api/memory-chat/history/${encodeURIComponent(userId)}/${encodeURIComponent(sessionId)}`;
  for (;;) {
    const { status, text, body } = await get(`${path}?limit=100&offset=${messages.length}`);
    if (status !== 200) throw new Error(`${status}: ${text}`);
    messages.push(...body.data.messages);
    if (!body.data.hasMore) return messages;
  }
}

export function contentsOf(messages: readonly Message[], type: Message['type']): string[] {
  return messages.filter((message) => message.type === type).map(({ content }) => content);
}

/** Expects a history in which every message is followed by its answer, in this order. */
export function isInTurns(messages: readonly Message[]): boolean {
  return messages.every(({ type }, index) => type === (index % 2 === 0 ? 'user' : 'assistant'));
}
