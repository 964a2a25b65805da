export interface ReceivedEvent {
  readonly type: string;
  /** When the server recorded it, epoch milliseconds. */
  readonly time: number;
  /** When it arrived here, epoch milliseconds. */
  readonly arrived: number;
}

/** Reads the events of a response to the end, except signs of life. @param onEvent called for each */
export async function readEvents(response: Response, onEvent: (event: ReceivedEvent) => void): Promise<void> {
  if (response.status !== 200 || response.body === null)
    throw new Error(`events were answered with ${response.status}`);
  let text = '';
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    text += part;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    const arrived = Date.now();
    for (const block of blocks) {
      const data = /^id: .*^data: (.*)$/ms.exec(block)?.[1];
      if (data === undefined) continue;
      const { type, time } = JSON.parse(data) as { type: string; time: string };
      onEvent({ type, time: Date.parse(time), arrived });
    }
  }
}
