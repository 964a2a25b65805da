import { setTimeout as delay } from 'node:timers/promises';
import { apiCall, apiPost } from '../support/calls';
import { sendJson, startStubPeer, type StubPeer } from '../support/stub-peer';
import type { PartProcess } from '../support/process';
import { figures } from '../support/runs';
import { type Api, openStage, type Stage } from '../support/stage';
import { killTemporal, temporalServerPid } from '../support/temporal-server';
import { waitFor } from '../support/wait';

const ANSWERED_AFTER_MS = 10_000;
const PAUSE_MS = 5_000;
const SINGLES = 6;

let stage: Stage;
let peer: StubPeer;
let temporal: PartProcess;
let api: Api;

beforeEach(async () => {
  stage = await openStage({ ownTemporal: true });
  peer = await startStubPeer(({ path }, response) => {
    setTimeout(() => sendJson(response, 200, { path }), ANSWERED_AFTER_MS);
  });
  temporal = await stage.temporal();
  [api] = await Promise.all([stage.api(), stage.worker()]);
});

afterEach(async () => {
  await stage.close();
  await peer.close();
});

const paths = (kind: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `/${kind}/${index}`);

interface UnderWay {
  /** Status and error of each answer. */
  readonly answers: Promise<[number, unknown][]>;
  /** Paths that may be requested only once. */
  readonly sent: readonly string[];
  /** The total number of tool calls. */
  readonly calls: number;
}

/** Starts requests that must not be sent twice, by every way to run a tool, and holds them at the peer. */
async function postsUnderWay(): Promise<UnderWay> {
  const singles = paths('single', SINGLES);
  const parallel = paths('parallel', 2);
  const sequence = ['/sequence/0'];
  const custom = ['/custom/0'];
  const post = (path: string) => apiPost(peer.url + path);
  const step = { id: 'send', type: 'api_call', config: { url: `${peer.url}/custom/0`, method: 'POST' } };
  const requests = [
    ...singles.map((path) => api.post('/api/tools/execute', post(path))),
    api.post('/api/tools/execute', apiCall(`${peer.url}/get`)),
    api.post('/api/tools/execute-multiple', { tools: parallel.map(post) }),
    api.post('/api/tools/execute-sequential', { tools: sequence.map(post) }),
    api.post('/api/workflow/execute-custom', { workflow: { name: 'w', steps: [step] } }),
  ];
  const sent = [...singles, ...parallel, ...sequence, ...custom];
  await waitFor(() => [...sent, '/get'].every((path) => peer.count(path) === 1), {
    what: 'every request to reach the peer',
  });
  const answers = Promise.all(requests).then((all) =>
    all.map(({ status, body }): [number, unknown] => [status, body.error]),
  );
  return { answers, sent, calls: sent.length + 1 };
}

async function expectAllSentOnce({ answers, sent, calls }: UnderWay): Promise<void> {
  const ends = await answers;
  expect(ends).toEqual(ends.map(() => [200, undefined]));
  expect(sent.map((path) => [path, peer.count(path)])).toEqual(sent.map((path) => [path, 1]));
  expect(await figures(api)).toEqual({
    totalExecutions: calls,
    successfulExecutions: calls,
    failedExecutions: 0,
  });
}

test('requests that may not be sent twice outlast a server that stands still, and each is sent once', async () => {
  const underWay = await postsUnderWay();
  const pid = temporalServerPid(stage.dataDir);
  process.kill(pid, 'SIGSTOP');
  await delay(PAUSE_MS);
  process.kill(pid, 'SIGCONT');
  await expectAllSentOnce(underWay);
});

test('they outlast a server that is killed and started again, too', async () => {
  const underWay = await postsUnderWay();
  await killTemporal(stage, temporal);
  await delay(PAUSE_MS);
  await stage.temporal();
  await expectAllSentOnce(underWay);
});
