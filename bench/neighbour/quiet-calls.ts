import { randomUUID } from 'node:crypto';
import { bearer, type Caller, type Sent } from './caller';

/** What the calls of the quiet tenant need. */
export interface QuietWorld {
  /** The address of the API. */
  readonly url: string;
  readonly key: string;
  /** The trace id of a run of the tenant that has ended. */
  readonly runId: string;
}

/** A light call of the quiet tenant. */
export interface QuietCall {
  readonly kind: string;
  send(): Promise<Sent>;
}

const USER_ID = 'quiet';
const REGISTERED = {
  name: 'doubled',
  description: 'Twice a number',
  parameters: { value: 'number' },
  execute: '({ value }) => value * 2',
};
const CALCULATION = { toolName: 'calculator', args: { operation: 'multiply', a: 6, b: 7 } };

/** Stores what the calls of the quiet tenant read. @returns the trace id of a run that has ended */
export async function prepareQuiet({ post }: Caller, key: string): Promise<string> {
  const headers = bearer(key);
  const made = async (path: string, body: object): Promise<Sent> => {
    const sent = await post(path, body, headers);
    if (sent.status >= 300) throw new Error(`${path} was answered with ${sent.status}: ${sent.text}`);
    return sent;
  };
  await made('/api/tools/register', REGISTERED);
  await made('/api/memory/episodic', {
    userId: USER_ID,
    sessionId: 'shelves',
    content: 'A quiet person ordered oak shelves',
  });
  const { traceId } = await made('/api/tools/execute', CALCULATION);
  if (traceId === undefined) throw new Error('a run has no trace id');
  return traceId;
}

/** The probe of liveness, which needs no key. */
export function livenessCall({ get }: Caller): QuietCall {
  return { kind: '/livez', send: () => get('/livez', {}) };
}

/**
 * The calls that the quiet tenant makes in turn.
 * @param peerUrl an address with a name of this machine that answers at once
 */
export function quietCalls({ get, post }: Caller, { key, runId }: QuietWorld, peerUrl: string): QuietCall[] {
  const headers = bearer(key);
  const execute = (toolName: string, args: object) => () =>
    post('/api/tools/execute', { toolName, args }, headers);
  return [
    { kind: 'calculator', send: execute('calculator', CALCULATION.args) },
    { kind: 'registered tool', send: execute(REGISTERED.name, { value: 21 }) },
    { kind: 'a run', send: () => get(`/api/runs/${runId}`, headers) },
    {
      kind: 'memory search',
      send: () => post('/api/memory/search', { userId: USER_ID, query: 'shelves' }, headers),
    },
    { kind: 'api_call', send: execute('api_call', { url: peerUrl }) },
    {
      kind: 'agent',
      // Each turn has a session of its own, because turns of one session wait for each other.
      send: () =>
        post(
          '/api/agent/execute',
          { query: 'What is 15 times 7?', options: { userId: USER_ID, sessionId: randomUUID() } },
          headers,
        ),
    },
  ];
}

/** A call with a key that the service has not seen before. */
export function firstCall({ get }: Caller, key: string): QuietCall {
  return { kind: 'new key', send: () => get('/api/tools/calculator', bearer(key)) };
}
