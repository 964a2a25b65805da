import { type Behaviour, streams } from '../model-server';

/** Says a part, and the rest when it is released. */
export function pauses(first: string, rest: string): { readonly behaviour: Behaviour; release(): void } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  return {
    async behaviour(request, response) {
      await streams([first], { ending: 'hang' })(request, response);
      await released;
      const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: request.body.model };
      const send = (choice: object): void =>
        void response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }] })}\n\n`);
      send({ delta: { content: rest } });
      send({ delta: {}, finish_reason: 'stop' });
      response.end('data: [DONE]\n\n');
    },
    release: () => release(),
  };
}
