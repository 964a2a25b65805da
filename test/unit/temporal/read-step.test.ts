import type { Engine } from '../../../temporal/engine';
import { readStep } from '../../../temporal/run-events/read-step';

const RUN = { workflowId: 'w', runId: 'r', type: 'customWorkflow', isOpen: false, historyLength: 50_000 };
const signal = new AbortController().signal;

/** A server that never answers. */
function silentEngine(): { readonly engine: Engine; readonly calls: () => number } {
  let calls = 0;
  const never = (): Promise<never> => {
    calls += 1;
    return new Promise(() => undefined);
  };
  const engine = { address: 'here:1', current: () => ({ native: { withDeadline: never }, client: {} }) };
  return { engine: engine as unknown as Engine, calls: () => calls };
}

afterEach(() => jest.restoreAllMocks());

test('a long history is read once there is room for it', async () => {
  const { engine, calls } = silentEngine();
  const busy = new Error('busy');
  const asked: number[] = [];
  const admit = (bytes: number): Promise<void> => {
    asked.push(bytes);
    return Promise.reject(busy);
  };
  await expect(readStep(engine, RUN, '1', { admit, signal })).rejects.toBe(busy);
  expect(asked[0]).toBeGreaterThan(100_000_000);
  expect(calls()).toBe(0);
});

test('a history that takes too long is given up', async () => {
  const { engine } = silentEngine();
  const timeUp = new AbortController();
  jest.spyOn(AbortSignal, 'timeout').mockReturnValue(timeUp.signal);
  const read = readStep(engine, RUN, '1', { admit: () => Promise.resolve(), signal });
  setImmediate(() => timeUp.abort());
  await expect(read).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
});
