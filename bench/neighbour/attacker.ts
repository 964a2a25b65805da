import { setMaxListeners } from 'node:events';
import { getPriority, setPriority } from 'node:os';
import { Agent, request } from 'undici';
import { ATTACKS, NO_ATTACK } from './attacks';
import type { AttackRequest, Weapons } from './attacks/attack';
import { bearer } from './caller';
import { startHostilePeer } from './hostile-peer';
import { answerMessages } from './participant';

export interface AttackMessage {
  readonly attack: string;
  readonly amount: number;
  /** The address of the API. */
  readonly url: string;
  readonly key: string;
  readonly quietKeyId: string;
  /** When the attack is over, even if it is not done, ms. */
  readonly limitMs: number;
}

export interface AttackReply {
  /** How long the attack took, ms. */
  readonly ms: number;
  /** How many requests were answered with each status; 0 for those without an answer. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Why the attack could not be made as it is described; absent if it was. */
  readonly failure?: string;
}

const MAX_BYTES = Number.MAX_SAFE_INTEGER;
/** The attacker stands for another machine, so it takes the CPU that is left. */
const LOWER_PRIORITY = 10;
const MAX_PRIORITY = 19;

setPriority(Math.min(MAX_PRIORITY, getPriority() + LOWER_PRIORITY));
const peer = startHostilePeer();

answerMessages(async (message: AttackMessage): Promise<AttackReply> => {
  const attack = [NO_ATTACK, ...ATTACKS].find(({ name }) => name === message.attack);
  if (attack === undefined) throw new Error(`there is no attack ${message.attack}`);
  const statuses: Record<string, number> = {};
  const over = new AbortController();
  setMaxListeners(0, over.signal);
  const timer = setTimeout(() => over.abort(), message.limitMs);
  const started = performance.now();
  let failure: string | undefined;
  try {
    const weapons = arm(message, over.signal, (status) => (statuses[status] = (statuses[status] ?? 0) + 1));
    await attack.send({ ...weapons, peer: await peer }, message.amount);
  } catch (error) {
    failure = String(error);
  } finally {
    clearTimeout(timer);
  }
  return { ms: performance.now() - started, statuses, ...(failure === undefined ? {} : { failure }) };
});

function arm(
  { url, key, quietKeyId }: AttackMessage,
  signal: AbortSignal,
  count: (status: number) => void,
): Omit<Weapons, 'peer'> {
  const dispatcher = new Agent({ connections: null, pipelining: 0, headersTimeout: 0, bodyTimeout: 0 });
  async function open(method: string, path: string, { body, headers, over }: AttackRequest) {
    return request(url + path, {
      dispatcher,
      method,
      signal: over === undefined ? signal : AbortSignal.any([signal, over]),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...bearer(key),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }
  return {
    key,
    quietKeyId,
    signal,
    async send(method, path, sent = {}) {
      let status = 0;
      try {
        const answer = await open(method, path, sent);
        status = answer.statusCode;
        await answer.body.dump({ limit: MAX_BYTES });
      } catch {
        // The service cut the connection, or the attack is over.
      }
      count(status);
      return status;
    },
    async ask(path, body, headers = {}) {
      const answer = await open('POST', path, { body, headers });
      const text = await answer.body.text();
      if (answer.statusCode >= 300)
        throw new Error(`${path} was answered with ${answer.statusCode}: ${text}`);
      return (JSON.parse(text) as { data: never }).data;
    },
  };
}
