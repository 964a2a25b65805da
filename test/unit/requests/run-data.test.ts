import { toRunData } from '../../../requests/answers/run-data';
import type { AgentTurnResult } from '../../../src/contracts/runs/agent';

const turn: AgentTurnResult = {
  response: 'Hello.',
  classification: {
    intent: { type: 'conversation', confidence: 0.9, reasoning: 'a greeting', requiredTools: [] },
  } as unknown as AgentTurnResult['classification'],
  toolResults: [],
  sources: [],
  provider: 'builtin',
  model: 'builtin',
  usage: { promptTokens: 0, completionTokens: 0, totalTokens: 0 },
  degraded: [],
  remembered: true,
  times: {} as AgentTurnResult['times'],
  startedAt: '2026-01-01T00:00:00.000Z',
};
const session = { userId: 'user-1', sessionId: 'session-1' };

test.each(['executeTool', 'memoryChatTurn', 'toString'])(
  'the input of a run is not read where its data does not depend on it: %s',
  async (type) => {
    const result = { recalled: { episodic: [], semantic: [] }, sources: [], degraded: [] };
    const readInput = jest.fn();
    const data = await toRunData(type, result, readInput);
    expect(readInput).not.toHaveBeenCalled();
    expect(data === result).toBe(type !== 'memoryChatTurn');
  },
);

test.each([
  ['minimal', ['intent', 'response', 'success']],
  ['standard', expect.arrayContaining(['metadata', 'reasoning'])],
  [undefined, expect.arrayContaining(['metadata', 'reasoning'])],
])('a turn has the level of detail of its input: %s', async (responseDetailLevel, keys) => {
  const input = responseDetailLevel === undefined ? session : { ...session, responseDetailLevel };
  const data = await toRunData('agentTurn', turn, () => Promise.resolve(input));
  expect(Object.keys(data as object).sort()).toEqual(keys);
  expect(data).not.toHaveProperty('metadata.usage');
});

test('an input that cannot be read is an error', async () => {
  const lost = new Error('the stored input is lost');
  await expect(toRunData('agentTurn', turn, () => Promise.reject(lost))).rejects.toBe(lost);
});

test('a result in a form of an earlier build is given as it is', async () => {
  const result = { response: 'hello' };
  expect(await toRunData('agentTurn', result, () => Promise.resolve(session))).toBe(result);
});
