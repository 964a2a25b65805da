import { answerOf, ask, initializeAgent } from '../support/agent';
import { attached, PNG } from '../support/files';
import { openEvents, readEvents } from '../support/event-stream';
import { classify, initializeIntents } from '../support/intents';
import { LEXICAL, newUser } from '../support/memories';
import { chat, initializeMemoryChat } from '../support/memory-chat';
import { type Service, startService } from '../support/service';
import { askStep, customBody } from '../support/workflow-steps';
import {
  describeWithModels,
  MISTAKES,
  SETTINGS,
  LARGER_MODEL,
  type RealModel,
  SMALL_MODEL,
  startRealModel,
  TRIES_ALL,
} from './support/real-model';

const COLOUR = {
  type: 'object',
  properties: { colour: { type: 'string', enum: ['red', 'green'] } },
  required: ['colour'],
  additionalProperties: false,
};

describeWithModels.each([SMALL_MODEL, ...(TRIES_ALL ? [LARGER_MODEL] : [])])(
  'every endpoint asks %s',
  (file) => {
    let model: RealModel;
    let service: Service;

    beforeAll(async () => {
      model = await startRealModel({ model: file });
      service = await startService({ ...LEXICAL, ...SETTINGS, LOCAL_LLM_BASE_URL: model.url });
      await initializeAgent(service);
      await initializeMemoryChat(service);
    });
    afterAll(async () => {
      await Promise.all([service?.stop(), model?.close()]);
    });

    /** Runs what asks the model, and expects that the model server refused nothing. */
    async function asking<T>(work: () => Promise<T>): Promise<T> {
      const before = model.exchanges.length;
      const result = await work();
      const made = model.exchanges.slice(before);
      expect(made.length).toBeGreaterThan(0);
      expect(made.filter(({ status }) => status !== 200)).toEqual([]);
      return result;
    }

    test('a step of a workflow, whose tokens are those that the server counted', async () => {
      const steps = [askStep('ask', 'Name a colour', { maxTokens: 12 })];
      const { status, body } = await asking(() =>
        service.post('/api/workflow/execute-custom', customBody(steps)),
      );
      expect(status).toBe(200);
      expect(body.data.results.ask.result).toMatch(/\S/);
      expect(body.data.results.ask.usage.completionTokens).toBeLessThanOrEqual(12);
    });

    test('a step with a schema, whose result fits it', async () => {
      const steps = [askStep('ask', 'Choose a colour', { schema: COLOUR, maxTokens: 60 })];
      const { status, body } = await asking(() =>
        service.post('/api/workflow/execute-custom', customBody(steps)),
      );
      expect([status, ['red', 'green'].includes(body.data?.results.ask.result.colour)]).toEqual([200, true]);
    });

    test.each([
      ['/api/tools/execute-with-llm', { toolName: 'calculator', query: 'add 17 and 25' }],
      ['/api/tools/mcp', { query: 'What is 17 plus 25?' }],
    ])('%s ends by itself, with a call or with the mistake of the model', async (path, body) => {
      const { status, body: answer } = await asking(() => service.post(path, body));
      if (status !== 200) expect(MISTAKES).toContain(answer.code);
    });

    test('the classifier, whose intent is one of those that there are', async () => {
      await initializeIntents(service);
      const answer = await asking(() =>
        classify(service, 'Purple monkeys?', { model: 'local', timeout: 30_000 }),
      );
      expect([answer.status, answer.body.data?.metadata.degraded]).toEqual([200, undefined]);
    });

    test('a turn of the agent, whose text comes in pieces', async () => {
      const started = await ask(
        service,
        'Tell me about the sea',
        { userId: newUser(), maxTokens: 300 },
        { prefer: 'respond-async' },
      );
      expect(started.status).toBe(202);
      const events = await openEvents(`${service.url}/api/runs/${started.headers.get('x-trace-id')}/events`);
      const seen: string[] = [];
      for await (const { event } of readEvents(events)) seen.push(event);
      expect(seen).toContain('message.delta');
      expect(seen.at(-1)).toBe('run.completed');
    });

    test('a turn with a schema, whose output fits it', async () => {
      const asked = {
        userId: newUser(),
        instructions: 'You are a painter.',
        tools: [],
        responseSchema: COLOUR,
        maxTokens: 60,
      };
      const { output, response, metadata } = await asking(() =>
        answerOf(ask(service, 'Choose a colour', asked)),
      );
      expect(['red', 'green']).toContain(output.colour);
      expect([JSON.parse(response), metadata.provider]).toEqual([output, 'local']);
    });

    test('one with a tool besides, whose output fits it unless the model calls the tool wrongly', async () => {
      const asked = { userId: newUser(), tools: ['calculator'], responseSchema: COLOUR, maxTokens: 60 };
      const { status, body } = await asking(() => ask(service, 'What is 17 plus 25?', asked));
      if (status === 200) expect(['red', 'green']).toContain(body.data.output.colour);
      else expect(MISTAKES).toContain(body.code);
    });

    test('a turn with files, of which it reads texts and takes no images', async () => {
      const turn = (file: object) =>
        ask(service, 'What is in this file?', {
          ...{ userId: newUser(), hintIntent: 'conversation', maxTokens: 40 },
          attachments: [file],
        });
      const { response } = await asking(() =>
        answerOf(turn(attached('note.txt', 'text/plain', 'Plums are blue.'))),
      );
      expect(response).toMatch(/\S/);
      expect(await turn(attached('dot.png', 'image/png', PNG))).toMatchObject({
        status: 422,
        body: { code: 'MODEL_INPUT_UNSUPPORTED', details: { kind: 'image' } },
      });
    });

    test('a turn within a budget', async () => {
      const options = { userId: newUser(), maxTokens: 20, budget: { maxTokens: 2_000 } };
      const { usage, metadata } = await asking(() => answerOf(ask(service, 'Say hello', options)));
      expect([usage.promptTokens + usage.completionTokens <= 2_000, metadata.degraded]).toEqual([true, []]);
    });

    test('eight turns at once, one after another on its one slot', async () => {
      const userId = newUser();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          chat(service, {
            userId,
            sessionId: `session-${n}`,
            message: `Say hello to number ${n}`,
            options: { maxTokens: 8 },
          }),
        ),
      );
      expect(answers.map(({ status, body }) => [status, body.data?.metadata.degraded])).toEqual(
        answers.map(() => [200, undefined]),
      );
    });
  },
);
