import { join } from 'node:path';
import { ATTACKS } from '../../bench/neighbour/attacks';
import { neighbourSettings, type Neighbours, startNeighbours } from '../../bench/neighbour/neighbours';
import type { Sample } from '../../bench/neighbour/quiet';
import { PROJECT_ROOT } from '../support/deployment';
import { endRuns } from '../support/end-runs';
import { type Key, runKeys } from '../support/keys';
import { LEXICAL } from '../support/memories';
import { type Service, startService } from '../support/service';

const BUILD = join(PROJECT_ROOT, 'dist');
/** What the quiet tenant calls. */
const KINDS = ['/livez', 'calculator', 'registered tool', 'a run', 'memory search', 'api_call', 'agent'];
const MAX_MS = 5_000;
/** The quiet tenant makes each of its calls after an attack too, in 700 ms. */
const LIMITS = { attackMs: 8_000, afterMs: 800 };

let service: Service;
let neighbours: Neighbours;

beforeAll(async () => {
  service = await startService({ ...neighbourSettings(BUILD), ...LEXICAL });
  const operator = ['--name', 'operator', '--scopes', 'read,run,admin'];
  const { key } = await runKeys<Key>(service.dataDir, 'create', ...operator);
  neighbours = await startNeighbours({ url: service.url, operatorKey: key }, BUILD);
});
afterAll(async () => {
  await neighbours.stop();
  await endRuns(service.taskQueue);
  await service.stop();
});

const describeSample = ({ kind, ms, failure }: Sample): string =>
  `${kind} after ${Math.round(ms)} ms${failure === undefined ? '' : `: ${failure}`}`;

test.each(ATTACKS)('a quiet tenant is served beside $name', async (attack) => {
  const { sent, samples } = await neighbours.endure(attack, attack.amount.few, LIMITS);
  expect(sent.failure).toBeUndefined();
  expect(samples.filter(({ failure }) => failure !== undefined).map(describeSample)).toEqual([]);
  expect(samples.filter(({ ms }) => ms >= MAX_MS).map(describeSample)).toEqual([]);
  expect([...new Set(samples.map(({ kind }) => kind))]).toEqual(expect.arrayContaining(KINDS));
});
