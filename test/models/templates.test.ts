import { LEXICAL, newUser } from '../support/memories';
import { chat, initializeMemoryChat } from '../support/memory-chat';
import { ask, initializeAgent } from '../support/agent';
import { type Service, startService } from '../support/service';
import { askStep, customBody } from '../support/workflow-steps';
import {
  describeWithModels,
  MISTAKES,
  type RealModel,
  SETTINGS,
  startRealModel,
  TRIES_ALL,
} from './support/real-model';

/** Chat templates as the makers of the models publish them, and how many requests one of them may refuse until it is known. */
const USUAL: readonly (readonly [model: string, template: string, refusals: number])[] = [
  ['Gemma 2', 'google-gemma-2-2b-it.jinja', 1],
  ['Mistral Nemo', 'mistralai-Mistral-Nemo-Instruct-2407.jinja', 0],
  ['Qwen 3.5', 'Qwen3.5-4B.jinja', 0],
];
const FURTHER: typeof USUAL = [
  ['Mistral Small 3.2', 'Mistral-Small-3.2-24B-Instruct-2506.jinja', 0],
  ['Llama 3.1', 'meta-llama-Llama-3.1-8B-Instruct.jinja', 0],
  ['Gemma 4', 'google-gemma-4-31B-it.jinja', 0],
];

describeWithModels.each([...USUAL, ...(TRIES_ALL ? FURTHER : [])])(
  'the chat template of %s',
  (_model, template, refusals) => {
    const userId = newUser();
    let model: RealModel;
    let service: Service;

    beforeAll(async () => {
      model = await startRealModel({ template, context: 8_192 });
      service = await startService({ ...LEXICAL, ...SETTINGS, LOCAL_LLM_BASE_URL: model.url });
      await initializeAgent(service);
      await initializeMemoryChat(service);
      for (const message of ['I live in Lisbon', 'My sister is called Rosa', 'I work at a library'])
        await chat(service, { userId, message, options: { maxTokens: 8 } });
    });
    afterAll(async () => {
      await Promise.all([service?.stop(), model?.close()]);
    });

    const agent = (query: string) => ask(service, query, { userId, sessionId: 'later', maxTokens: 24 });

    test.each(['What is my sister called, and where do I live?', 'Add 17 and 25 by the calculator, please'])(
      'answers a turn of the agent with memories: %s',
      async (query) => {
        const { status, body } = await agent(query);
        // An answer without text is a mistake of the model: a request that the template refuses is found below.
        if (status === 200) expect(body.data.response).toMatch(/\S/);
        else expect(MISTAKES).toContain(body.code);
      },
    );

    test('answers memory chat with memories, and a step of a workflow', async () => {
      const answer = await chat(service, {
        userId,
        sessionId: 'later',
        message: 'Tell me what you know about me',
        options: { maxTokens: 24 },
      });
      expect([answer.status, answer.body.data?.metadata.degraded]).toEqual([200, undefined]);
      const steps = [askStep('ask', 'Say hello', { system: 'Be brief', maxTokens: 8 })];
      expect((await service.post('/api/workflow/execute-custom', customBody(steps))).status).toBe(200);
    });

    test('refuses no request more than once', () => {
      const refused = model.exchanges.filter(({ status }) => status >= 400);
      expect(refused.slice(refusals).map(({ status, refusal }) => `${status} ${refusal}`)).toEqual([]);
    });
  },
);
