import { callChecks } from '../../../support/argument-checks';
import { generateKeyPairSync } from 'node:crypto';
import { pino } from 'pino';
import { z } from 'zod';
import { createApp } from '../../../../api/app';
import { defineRoute } from '../../../../api/http/route';
import { listen } from '../../../../api/http/server';
import { fetchKeySet } from '../../../../src/access/json-web-tokens';
import { HoldfastError, toolError } from '../../../../src/base/errors';
import { createEgress } from '../../../../src/egress/create-egress';
import { createOpenAiProvider } from '../../../../src/llm/openai/openai-provider';
import { rewriteJson } from '../../../../src/sandbox/rewrite-json';
import { createPineconeClient } from '../../../../src/stores/pinecone/client';
import { toIndexError } from '../../../../src/stores/pinecone/errors';
import { createApiCall } from '../../../../src/tools/builtin/api-call';
import { createWeather } from '../../../../src/tools/builtin/weather';
import { startStubPeer } from '../../../support/stub-peer';
import { HELLO, personSchema, WEATHER } from '../../llm/harness';
import { toolContext } from '../../tools/builtin/context';
import type { Parser } from './parser';

/** An HTTP server, and the parsers that ask it. */
export interface PeerParsers {
  readonly parsers: readonly Parser[];
  close(): Promise<void>;
}

const JSON_TYPE = 'application/json';
const SIGNAL = new AbortController().signal;
const LIMITS = { signal: SIGNAL, timeoutMs: 30_000 };
const MODEL = ['MODEL_UNAVAILABLE', 'MODEL_OUTPUT_INVALID'];
const completion = (message: object): object => ({
  choices: [{ finish_reason: 'stop', message }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

/** Answers with its body. */
const ECHO = defineRoute({
  method: 'post',
  path: '/api/echo',
  operationId: 'echo',
  access: 'read',
  tag: 'Test',
  summary: '',
  message: 'ok',
  request: { body: z.object({ word: z.unknown() }) },
  response: z.object({ word: z.unknown() }),
  handler: ({ body }) => Promise.resolve({ word: body.word }),
});

/** A set of one public key, as issuers publish it. */
const KEY_SET = {
  keys: [{ ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig' }],
};

/** Does in place what a thread of the sandbox does with a large response. */
function rewriteHere(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const reply = rewriteJson(bytes);
  if (reply.kind === 'rewritten') return Promise.resolve(reply.bytes);
  return Promise.reject(toolError(reply.kind === 'failure' ? reply.message : reply.kind));
}

export async function startPeerParsers(): Promise<PeerParsers> {
  let answer = { status: 200, type: JSON_TYPE, text: '' };
  const peer = await startStubPeer((_, response) => {
    response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.text);
  });
  /** Asks the peer, which answers with a text. */
  const asking = <T>(text: string, ask: () => Promise<T>, rest = {}): Promise<T> => {
    answer = { status: 200, type: JSON_TYPE, text, ...rest };
    return ask();
  };
  const model = createOpenAiProvider({
    name: 'hosted',
    defaultModel: 'test-model',
    apiKey: 'key',
    baseUrl: `${peer.url}/v1`,
    maxAttempts: 1,
  });
  const egress = createEgress({ allowPrivate: true, maxBodyBytes: 4_000_000 });
  const apiCall = createApiCall(
    egress,
    { rewriteJson: rewriteHere },
    { queryJson: () => Promise.reject(new Error('not expected')) },
  );
  const weather = createWeather(egress, { forecastUrl: peer.url, geocodingUrl: peer.url });
  const pinecone = createPineconeClient({
    apiKey: 'key',
    controllerHostUrl: peer.url,
    timeoutMs: 30_000,
    retryDelayMs: () => 1,
  });
  const queryIndex = (): Promise<unknown> =>
    pinecone
      .call((client) => client.index({ host: peer.url }).query({ vector: [1], topK: 1 }))
      .catch((error: unknown) => {
        throw toIndexError(error);
      });

  const app = createApp({
    config: { loopback: true, ALLOWED_HOSTS: [], MAX_BODY_BYTES: 1_000_000 },
    logger: pino({ level: 'silent' }),
    routes: [ECHO],
    info: { title: 'test', description: '' },
    isReady: () => true,
  });
  const api = await listen(app, { host: '127.0.0.1', port: 0, portSetting: 'PORT' });
  async function sendBody(body: string): Promise<void> {
    const headers = { 'content-type': JSON_TYPE, connection: 'close' };
    const response = await fetch(`${api.url}${ECHO.path}`, { method: 'POST', headers, body });
    await response.text();
    const { status } = response;
    if (status === 400 || status === 413) throw new HoldfastError('VALIDATION', 'refused');
    if (status !== 200) throw new Error(`the API answered ${status}`);
  }

  const parsers: Parser[] = [
    {
      name: 'the answer of a model',
      sample: completion({ content: 'a' }),
      codes: MODEL,
      parse: ({ text }) => asking(text, () => model.chat(HELLO, LIMITS)),
    },
    {
      name: 'the answer of a model in place of a stream',
      sample: completion({ content: 'a' }),
      codes: MODEL,
      parse: ({ text }) => asking(text, () => model.chat(HELLO, { ...LIMITS, onText: () => undefined })),
    },
    {
      name: 'a stream of a model',
      sample: { choices: [{ finish_reason: 'stop', delta: { content: 'a' } }] },
      codes: MODEL,
      parse: ({ text }) =>
        asking(
          `data: ${text}\n\ndata: [DONE]\n\n`,
          () => model.chat(HELLO, { ...LIMITS, onText: () => undefined }),
          { type: 'text/event-stream' },
        ),
    },
    {
      name: 'a value of a model',
      sample: { name: 'Ada', age: 36 },
      codes: MODEL,
      parse: ({ text }) =>
        asking(JSON.stringify(completion({ content: text })), () =>
          model.structured({ ...HELLO, schema: personSchema, schemaName: 'person' }, LIMITS),
        ),
    },
    {
      name: 'the arguments of a call of a model',
      sample: { city: 'Oslo', days: 2 },
      codes: MODEL,
      parse: ({ text }) =>
        asking(
          JSON.stringify(
            completion({
              content: null,
              tool_calls: [{ id: '1', type: 'function', function: { name: 'weather', arguments: text } }],
            }),
          ),
          () =>
            model.chooseTools({ ...HELLO, tools: [WEATHER], choice: 'auto' }, { ...LIMITS, ...callChecks }),
        ),
    },
    {
      name: 'an error of a model',
      sample: { error: { message: 'no', code: 'a', param: 'b' } },
      codes: MODEL,
      isFailure: true,
      parse: ({ text }) => asking(text, () => model.chat(HELLO, LIMITS), { status: 400 }),
    },
    {
      name: 'a response to api_call',
      sample: { a: [{ b: 1 }] },
      codes: ['TOOL_EXECUTION_FAILED'],
      parse: ({ text }) =>
        asking(text, () => apiCall.run({ url: peer.url, method: 'GET' }, toolContext())).then(JSON.stringify),
    },
    {
      name: 'an answer of the weather service',
      sample: { results: [{ name: 'Oslo', latitude: 1, longitude: 2, country: 'Norway' }] },
      codes: ['TOOL_EXECUTION_FAILED'],
      // The same answer has no current weather, which the tool reports.
      isFailure: true,
      parse: ({ text }) => asking(text, () => weather.run({ location: 'Oslo' }, toolContext())),
    },
    {
      name: 'a response of Pinecone',
      sample: { matches: [{ id: 'a', score: 1, values: [1], metadata: { a: 1 } }], namespace: 'a' },
      codes: ['STORE_UNAVAILABLE'],
      parse: ({ text }) => asking(text, queryIndex),
    },
    {
      name: 'an error of Pinecone',
      sample: { error: { code: 'a', message: 'no' } },
      codes: ['STORE_UNAVAILABLE'],
      isFailure: true,
      parse: ({ text }) => asking(text, queryIndex, { status: 400 }),
    },
    {
      name: 'the body of a request',
      sample: { word: { a: [1] } },
      codes: ['VALIDATION'],
      parse: ({ text }) => sendBody(text),
    },
    {
      // The library that copies the set is an ECMAScript module, which jest cannot load.
      name: 'a JSON Web Key Set',
      sample: KEY_SET,
      codes: ['Error', 'SyntaxError', 'DataCloneError'],
      parse: ({ text }) =>
        asking(text, async () => structuredClone(await (await fetchKeySet(peer.url, {})).json())),
    },
  ];
  return {
    parsers,
    async close() {
      await Promise.all([egress.close(), pinecone.close(), peer.close(), api.close(100)]);
    },
  };
}
