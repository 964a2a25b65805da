import { callsTools, hangs, says, saysJson } from '../../support/model-server';
import { calculates, fetches, outcomesIn, usage } from '../../support/model-service';
import { classifyBatch, initializeIntents, intentFigures } from '../../support/intents';
import { waitFor } from '../../support/wait';
import type { Ground, Work } from './work';

/** Allows the model to reach the peer, which no query names. */
const query = ({ stage }: Ground, text: string) => ({
  query: text,
  options: { allow: { hosts: [new URL(stage.peer.url).host] } },
});

/** The model is asked again, and no tool runs again. */
export const thinking = (path: string): Work => ({
  name: `the model of POST ${path} is asked again, and no tool runs again`,
  counted: { succeeded: 3 },
  async begin(on) {
    const { stage, model, api } = on;
    const mark = `thinking of ${path}`;
    const [first, second] = ['first', 'second'].map((name) => `${path}/${name}`);
    model.script(mark, [
      callsTools([fetches(`${stage.peer.url}${first}`), calculates('add', 1, 2)]),
      hangs(),
      callsTools([fetches(`${stage.peer.url}${second}`)]),
      says('All done.'),
    ]);
    const answer = api.post(path, query(on, `fetch, add, fetch, ${mark}`));
    await model.asked(mark, 2);
    return {
      resume: () => model.asked(mark, 3),
      async holds() {
        const { status, body } = await answer;
        expect(status).toBe(200);
        expect(body.data).toMatchObject({
          success: true,
          answer: 'All done.',
          executionOrder: ['api_call', 'calculator', 'api_call'],
          allResults: { calculator: 3 },
          errors: [],
          iterations: 2,
          // The service does not know the tokens that the lost call has used.
          llmUsage: usage(30, 15),
        });
        expect([first, second].map((one) => stage.peer.count(one ?? ''))).toEqual([1, 1]);
        const requests = model.requestsOf(mark);
        expect(requests).toHaveLength(4);
        expect(requests[2]?.body).toEqual(requests[1]?.body);
        expect(outcomesIn(requests[2])).toHaveLength(2);
      },
    };
  },
});

export const plannedCall: Work = {
  name: 'a call that a model has planned is made again, and the model is not asked again for it',
  counted: { succeeded: 1 },
  async begin(on) {
    const { stage, model, api } = on;
    const path = '/held/planned';
    model.script('the planned call', [callsTools([fetches(stage.peer.url + path)]), says('Done.')]);
    const answer = api.post('/api/tools/mcp', query(on, 'make the planned call'));
    await stage.peer.arrived(path);
    return {
      async resume() {
        await stage.peer.arrived(path, 2);
        stage.peer.release(path);
      },
      async holds() {
        const { status, body } = await answer;
        expect(status).toBe(200);
        expect(body.data).toMatchObject({ success: true, executionOrder: ['api_call'], answer: 'Done.' });
        expect(model.requestsOf('the planned call')).toHaveLength(2);
      },
    };
  },
};

export const takenArguments: Work = {
  name: 'arguments are taken from a sentence again',
  counted: { succeeded: 1 },
  async begin({ model, api }) {
    const sentence = 'add two and three of them';
    model.script(sentence, [hangs(), callsTools([calculates('add', 2, 3)])]);
    const body = { query: sentence, toolName: 'calculator' };
    const answer = api.post('/api/tools/execute-with-llm', body);
    await model.asked(sentence, 1);
    return {
      async holds() {
        const { status, body: answered } = await answer;
        expect([status, answered.data?.result]).toEqual([200, 5]);
      },
    };
  },
};

export const thinkingForStopped: Work = {
  name: 'the call of a model is left to another',
  counted: { succeeded: 1 },
  async begin(on) {
    const { stage, model, api } = on;
    const path = '/first-of-stopped';
    const script = [callsTools([fetches(stage.peer.url + path)]), hangs(), says('Done.')];
    model.script('think slowly', script);
    const answer = api.post('/api/tools/mcp', query(on, 'think slowly'));
    await model.asked('think slowly', 2);
    return {
      async holds() {
        const { status, body } = await answer;
        expect([status, body.data?.answer]).toEqual([200, 'Done.']);
        expect(stage.peer.count(path)).toBe(1);
      },
    };
  },
};

const ANSWER = { type: 'conversation', confidence: 0.9 };
const PART = 25;

export const batch: Work = {
  name: 'a batch is classified where that was not done',
  async begin({ model, api }) {
    await initializeIntents(api);
    const held: (() => void)[] = [];
    let holding = true;
    const numberIn = (text: string): number => Number(/parcel (\d+)/.exec(text)?.[1]);
    model.script('parcel', [], async (request, response) => {
      // The first part completes, and the second one waits until its worker is killed.
      const number = numberIn(JSON.stringify(request.body.messages.at(-1)));
      if (holding && number >= PART + 5) await new Promise<void>((resolve) => held.push(resolve));
      if (!response.destroyed) await saysJson(ANSWER)(request, response);
    });
    const queries = Array.from({ length: 3 * PART }, (_, n) => ({
      id: `q${n}`,
      query: `parcel ${n}`,
      options: { timeout: 60_000 },
    }));
    let figures: Awaited<ReturnType<typeof intentFigures>>;
    const answer = classifyBatch(api, queries, { parallel: false });
    await waitFor(() => held.length > 0, { what: 'the second part to be under way' });
    return {
      async resume() {
        holding = false;
        for (const release of held) release();
        await answer;
        figures = await intentFigures(api);
      },
      async holds() {
        const { status, body } = await answer;
        expect(status).toBe(200);
        expect(body.data.results.map(({ id }: { id: string }) => id)).toEqual(queries.map(({ id }) => id));
        expect(body.data.summary).toMatchObject({ successfulClassifications: 75, failedClassifications: 0 });
        const asked = new Map<number, number>();
        for (const { body: sent } of model.requestsOf('parcel')) {
          const number = numberIn(JSON.stringify(sent.messages.at(-1)));
          asked.set(number, (asked.get(number) ?? 0) + 1);
        }
        const counts = queries.map((_, n) => asked.get(n) ?? 0);
        expect(counts.slice(0, PART)).toEqual(Array.from({ length: PART }, () => 1));
        expect(counts.slice(2 * PART)).toEqual(Array.from({ length: PART }, () => 1));
        expect(Math.max(...counts)).toBe(2);
        // Turns of the agent, which call tools here, are counted beside the batch.
        const { tool_execution: turns = 0, conversation } = figures.intentDistribution;
        expect([figures.totalClassifications - turns, conversation]).toEqual([75, 75]);
      },
    };
  },
};
