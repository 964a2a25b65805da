import { createServer } from 'node:http';
import { createCaller } from './caller';
import { answerMessages } from './participant';
import { firstCall, livenessCall, type QuietCall, quietCalls, type QuietWorld } from './quiet-calls';

/** One call of the quiet tenant. */
export interface Sample {
  readonly kind: string;
  /** From the request to the end of the answer, or to the failure, ms. */
  readonly ms: number;
  /** The status and the text of an answer of 400 and above, or why there was none. */
  readonly failure?: string;
}

export type QuietMessage =
  | { readonly do: 'open'; readonly world: QuietWorld }
  /** Begins to call. `newKeys` are keys that the service has not seen, each for one call. */
  | { readonly do: 'begin'; readonly newKeys: readonly string[] }
  /** Ends to call, and waits for the answers. */
  | { readonly do: 'end' };

const LIVENESS_EVERY_MS = 50;
const CALL_EVERY_MS = 100;
const NEW_KEY_EVERY_MS = 250;
/** How many calls of one kind may be open: more would only add to what a service that stands has to do later. */
const MAX_OPEN = 100;
/** How long an answer may take. */
const LIMIT_MS = 120_000;
const WARM_UP_ROUNDS = 5;
const MAX_TEXT = 300;

/** Makes the calls by the clock, whether or not the calls before them were answered, as callers do who do not know of each other. */
function startCalling(
  calls: readonly QuietCall[],
  everyMs: number,
  samples: Sample[],
): () => Promise<unknown> {
  const open = new Set<Promise<void>>();
  let next = 0;
  const timer = setInterval(() => {
    const call = calls[next++ % calls.length];
    if (call === undefined || open.size >= MAX_OPEN) return;
    const made = timeCall(call).then((sample) => {
      samples.push(sample);
      open.delete(made);
    });
    open.add(made);
  }, everyMs);
  return () => {
    clearInterval(timer);
    return Promise.all(open);
  };
}

async function timeCall({ kind, send }: QuietCall): Promise<Sample> {
  const started = performance.now();
  const sample = (failure?: string): Sample => ({
    kind,
    ms: performance.now() - started,
    ...(failure === undefined ? {} : { failure }),
  });
  try {
    const { status, text } = await send();
    return sample(status < 400 ? undefined : `${status} ${text.slice(0, MAX_TEXT)}`);
  } catch (error) {
    return sample(String(error));
  }
}

let world: QuietWorld;
let peerUrl: string | undefined;
let samples: Sample[] = [];
let stops: (() => Promise<unknown>)[] = [];

/** Starts what the quiet tenant's `api_call` asks, at a name of this machine. */
async function startPeer(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  });
  await new Promise<void>((done) => server.listen(0, 'localhost', done));
  return `http://localhost:${(server.address() as { port: number }).port}/`;
}

/** @throws Error if a call fails although there is no attack */
async function warmUp(calls: readonly QuietCall[]): Promise<void> {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1)
    for (const call of calls) {
      const { kind, failure } = await timeCall(call);
      if (failure !== undefined) throw new Error(`${kind} failed: ${failure}`);
    }
}

answerMessages(async (message: QuietMessage): Promise<readonly Sample[]> => {
  switch (message.do) {
    case 'open':
      world = message.world;
      peerUrl ??= await startPeer();
      await warmUp(quietCalls(createCaller(world.url, LIMIT_MS), world, peerUrl));
      return [];
    case 'begin': {
      const caller = createCaller(world.url, LIMIT_MS);
      const { newKeys } = message;
      samples = [];
      stops = [
        startCalling([livenessCall(caller)], LIVENESS_EVERY_MS, samples),
        startCalling(quietCalls(caller, world, peerUrl ?? ''), CALL_EVERY_MS, samples),
        startCalling(
          newKeys.map((key) => firstCall(caller, key)),
          NEW_KEY_EVERY_MS,
          samples,
        ),
      ];
      return [];
    }
    case 'end':
      await Promise.all(stops.map((stop) => stop()));
      return samples;
  }
});
