export interface SentEvent {
  /** Absent for a sign of life. */
  readonly id?: string;
  readonly event: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into events freely
  readonly data: any;
}

/** Reads a response of server-sent events, which may break off at any place. */
export async function* readEvents(response: Response): AsyncGenerator<SentEvent, void, undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    text += part.value;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event !== undefined) yield event;
    }
  }
}

/** @returns undefined for a comment, and for a block without an event */
function parseBlock(block: string): SentEvent | undefined {
  const fields = new Map(
    block.split('\n').flatMap((line) => {
      const [, name, value] = /^(\w+): (.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    }),
  );
  const [id, event, data] = ['id', 'event', 'data'].map((name) => fields.get(name));
  if (event === undefined) return undefined;
  return { ...(id === undefined ? {} : { id }), event, data: JSON.parse(data ?? 'null') as unknown };
}

/** Opens a stream of events; the connection is not used for anything else. */
export function openEvents(url: string, init: RequestInit = {}): Promise<Response> {
  const headers = { accept: 'text/event-stream', connection: 'close', ...(init.headers as object) };
  return fetch(url, { ...init, headers });
}

/** Reads all events of a run that have an id, to the end of the stream. */
export async function collectEvents(response: Response): Promise<SentEvent[]> {
  const events: SentEvent[] = [];
  for await (const event of readEvents(response)) if (event.id !== undefined) events.push(event);
  return events;
}
