import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../statistics';
import type { AttackMessage, AttackReply } from './attacker';
import type { Attack } from './attacks/attack';
import { bearer, createCaller } from './caller';
import { startParticipant } from './participant';
import type { QuietMessage, Sample } from './quiet';
import { prepareQuiet } from './quiet-calls';

/** A running service with the settings of `neighbourSettings`. */
export interface SharedService {
  /** The address of the API. */
  readonly url: string;
  /** A key of administrators of the tenant `default`. */
  readonly operatorKey: string;
}

/** What the quiet tenant saw of one attack. */
export interface Seen {
  readonly attack: string;
  readonly sent: AttackReply;
  readonly samples: readonly Sample[];
}

/** Two tenants of one service: one that makes light calls all the time, and one that attacks. */
export interface Neighbours {
  /** @param amount how much the attacker sends @param limits both in ms */
  endure(attack: Attack, amount: number, limits: Limits): Promise<Seen>;
  stop(): Promise<void>;
}

export interface Limits {
  /** How long an attack may take; what is not answered then is given up. */
  readonly attackMs: number;
  /** How long the quiet tenant goes on calling after it. */
  readonly afterMs: number;
}

/**
 * The settings of the service: it has tenants, and its tools may call this machine. Its name servers never answer.
 * @param build the folder of the compiled service
 */
export function neighbourSettings(build: string): Record<string, string> {
  const preloaded = JSON.stringify(join(build, 'bench', 'neighbour', 'silent-names.js'));
  return { AUTH: 'keys', EGRESS_ALLOW_PRIVATE: 'true', NODE_OPTIONS: `--require ${preloaded}` };
}

interface NewKey {
  readonly id: string;
  readonly key: string;
}

const QUIET_SCOPES = ['read', 'run', 'memory', 'tools'];
const SETUP_LIMIT_MS = 60_000;
/** How many keys that the service has not seen the quiet tenant has. */
const NEW_KEYS = 10;

/**
 * Starts the two tenants, each as a process, so that neither's work delays what the other measures.
 * @param build the folder of the compiled service
 */
export async function startNeighbours(
  { url, operatorKey }: SharedService,
  build: string,
): Promise<Neighbours> {
  const caller = createCaller(url, SETUP_LIMIT_MS);
  async function post(path: string, body: object): Promise<unknown> {
    const { status, text } = await caller.post(path, body, bearer(operatorKey));
    if (status >= 300) throw new Error(`${path} was answered with ${status}: ${text}`);
    return (JSON.parse(text) as { data: unknown }).data;
  }
  const createKey = async (tenant: string): Promise<NewKey> =>
    (await post('/api/keys', { name: tenant, tenant, scopes: QUIET_SCOPES })) as NewKey;

  await post('/api/agent/initialize', {});
  const [quietKey, attackerKey] = await Promise.all([createKey('quiet'), createKey('noisy')]);
  const newKeys = await Promise.all(
    Array.from({ length: NEW_KEYS }, async () => (await createKey('quiet')).key),
  );
  const runId = await prepareQuiet(caller, quietKey.key);
  const quiet = startParticipant<QuietMessage, readonly Sample[]>('quiet', build);
  const attacker = startParticipant<AttackMessage, AttackReply>('attacker', build);
  await quiet.ask({ do: 'open', world: { url, key: quietKey.key, runId } });
  return {
    async endure({ name, withNewKeys }, amount, { attackMs, afterMs }) {
      await quiet.ask({ do: 'begin', newKeys: withNewKeys === true ? newKeys : [] });
      const common = { url, key: attackerKey.key, quietKeyId: quietKey.id };
      const sent = await attacker.ask({ attack: name, amount, limitMs: attackMs, ...common });
      await delay(afterMs);
      return { attack: name, sent, samples: await quiet.ask({ do: 'end' }) };
    },
    async stop() {
      await Promise.all([quiet.stop(), attacker.stop()]);
    },
  };
}

export interface SeenFigures {
  /** All in ms. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** The kind of the call that took longest. */
  readonly slowest: string;
}

/** The figures of the quiet tenant's calls. */
export function figuresOf({ samples }: Seen): SeenFigures {
  const times = samples.map(({ ms }) => ms);
  const max = percentile(times, 1);
  const slowest = samples.find(({ ms }) => ms === max)?.kind ?? '';
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), max, slowest };
}
