import type { ServerResponse } from 'node:http';
import { type Behaviour, type ModelRequest, streams } from '../model-server';

/** Returns a function that sends the next chunk of a streamed response. */
export function sendChoice(request: ModelRequest, response: ServerResponse): (choice: object) => void {
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: request.body.model };
  return (choice) =>
    void response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }] })}\n\n`);
}

/** Says a part, and the rest when it is released. */
export function pauses(first: string, rest: string): { readonly behaviour: Behaviour; release(): void } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  return {
    async behaviour(request, response) {
      await streams([first], { ending: 'hang' })(request, response);
      await released;
      const send = sendChoice(request, response);
      send({ delta: { content: rest } });
      send({ delta: {}, finish_reason: 'stop' });
      response.end('data: [DONE]\n\n');
    },
    release: () => release(),
  };
}
