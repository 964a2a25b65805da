import { asked, playsAgent } from '../support/agent';
import { LEXICAL } from '../support/memories';
import { type ModelServer, startModelServer } from '../support/model-server';
import { pauses } from '../support/model-servers/pausing';
import { hostedBy } from '../support/model-service';
import { describeWithClients, type DrivenClient } from '../support/openai-clients';
import type { PartProcess } from '../support/process';
import { type Api, openStage, type Stage } from '../support/stage';
import { waitFor } from '../support/wait';

const BEGINNING = 'Once upon a time, ';
const STORY = `${BEGINNING}it was told. The end.`;
const REQUEST = 'Tell me a story';

let stage: Stage;
let model: ModelServer;
let api: Api;
let worker: PartProcess;
let settings: Record<string, string>;
beforeAll(async () => {
  stage = await openStage();
  model = await startModelServer();
  settings = { ...LEXICAL, ...hostedBy(model) };
  [api, worker] = await Promise.all([stage.api(settings), stage.worker(settings)]);
});
beforeEach(() => model.reset());
afterAll(async () => {
  await stage.close();
  await model.close();
});

/** What a stream has said, event by event, while it is read. */
interface Heard {
  readonly texts: string[];
  readonly events: Record<string, unknown>[];
  readonly end: Promise<void>;
}

function hear(stream: AsyncIterable<Record<string, unknown>>, textOf: (event: never) => unknown): Heard {
  const texts: string[] = [];
  const events: Record<string, unknown>[] = [];
  const end = (async () => {
    for await (const event of stream) {
      events.push(event);
      const text = textOf(event as never);
      if (typeof text === 'string' && text !== '') texts.push(text);
    }
  })();
  return { texts, events, end };
}

const deltaOfChat = ({ choices }: { choices: { delta: { content?: string } }[] }) =>
  choices[0]?.delta.content;
const deltaOfResponse = ({ type, delta }: { type: string; delta?: string }) =>
  type === 'response.output_text.delta' ? delta : undefined;

describeWithClients('a worker that is killed while it streams to the client for', (start) => {
  let client: DrivenClient;
  beforeAll(() => {
    client = start();
  });
  afterAll(() => client.close());

  test('is followed by one that goes on where the streams are, and a cut stream is resumed', async () => {
    const { behaviour, release } = pauses(BEGINNING, STORY.slice(BEGINNING.length));
    model.otherwise(playsAgent({ answer: behaviour }));
    const respond = { model: 'holdfast', input: REQUEST, stream: true };
    const messages = [{ role: 'user', content: REQUEST }];
    const open = (path: string, params: object, options: { args?: string[]; until?: string } = {}) =>
      client.stream(path, params, { url: api.url, ...options });
    const chat = hear(
      open('chat.completions.create', { model: 'holdfast', messages, stream: true }),
      deltaOfChat,
    );
    const response = hear(open('responses.create', respond), deltaOfResponse);
    const until = 'response.output_text.delta';
    const cut = hear(open('responses.create', respond, { until }), deltaOfResponse);
    await waitFor(() => [chat, response, cut].every(({ texts }) => texts.length > 0), {
      what: 'all streams to begin',
    });
    await cut.end;

    await worker.kill();
    const askedBefore = asked(model.requests, 'answer').length;
    worker = await stage.worker(settings);
    const [created] = cut.events as [{ response: { id: string } }];
    const after = cut.events.at(-1)?.['sequence_number'];
    const rest = hear(
      open('responses.retrieve', { stream: true, starting_after: after }, { args: [created.response.id] }),
      deltaOfResponse,
    );
    await waitFor(() => asked(model.requests, 'answer').length === askedBefore + 3, {
      what: 'the new worker to ask the model again',
    });
    release();
    await Promise.all([chat.end, response.end, rest.end]);

    expect(askedBefore).toBe(3);
    expect(chat.texts.join('')).toBe(STORY);
    expect(chat.events.at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
    expect(response.texts.join('')).toBe(STORY);
    const whole = [...cut.events, ...rest.events];
    for (const events of [response.events, whole]) {
      expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
      expect(events.at(-1)).toMatchObject({
        type: 'response.completed',
        response: { status: 'completed', output: [{ content: [{ text: STORY }] }] },
      });
    }
    expect([...cut.texts, ...rest.texts]).toEqual(response.texts);
  });
});
