import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const SET_UP = join(__dirname, '..', '..', '..', 'scripts', 'setup', 'real-models.mjs');
/** Where the set-up has put the server and the models; empty if they could not be fetched. */
const FOLDER = spawnSync(process.execPath, [SET_UP, '--check'], { encoding: 'utf8' }).stdout;
const SERVE = join(__dirname, 'serve.py');

/** `describe`, skipped if no model can be had. */
export const describeWithModels = FOLDER === '' ? describe.skip : describe;

/** Whether the larger models and all templates are tried, as `npm run test:model` does. */
export const TRIES_ALL = process.env['HOLDFAST_TEST_ALL_MODELS'] === 'yes';

/**
 * Settings by which a model of this size, on two processors that other programs use too, is given time to classify and to answer, and
 * none to ramble while it plans.
 */
export const SETTINGS = {
  CLASSIFY_TIMEOUT_MS: '40000',
  LLM_TIMEOUT_MS: '150000',
  WAIT_LIMIT_MS: '280000',
  PLANNER_MAX_TOKENS: '64',
};

/** How a request may end when a model of this size has to choose a tool: it chose, or what it said could not be used. */
export const MISTAKES = ['MODEL_OUTPUT_INVALID', 'PLANNER_STUCK', 'TOOL_EXECUTION_FAILED'];

export const SMALL_MODEL = 'smollm2-135m.gguf';
export const LARGER_MODEL = 'qwen2.5-coder-0.5b.gguf';

export interface ModelExchange {
  readonly path: string;
  /** The request's body, parsed. */
  readonly asked: {
    readonly messages?: readonly { readonly role: string }[];
    readonly [field: string]: unknown;
  };
  readonly status: number;
  /** The text of an error; empty otherwise. */
  readonly refusal: string;
}

/** A real model server behind a proxy that notes what it is asked and how it answers. */
export interface RealModel {
  /** The address for `LOCAL_LLM_BASE_URL`. */
  readonly url: string;
  /** Requests for answers, without those for facts of the server, in the order in which they ended. */
  readonly exchanges: readonly ModelExchange[];
  close(): Promise<void>;
}

export interface RealModelOptions {
  readonly model?: string;
  /** Tokens that a conversation may have. */
  readonly context?: number;
  /** Answers that are made at once. */
  readonly slots?: number;
  /** The file of another model's chat template. */
  readonly template?: string;
}

export async function startRealModel({
  model = SMALL_MODEL,
  context = 4_096,
  slots = 1,
  template,
}: RealModelOptions = {}): Promise<RealModel> {
  const settings = {
    model: join(FOLDER, model),
    context,
    slots,
    ...(template === undefined ? {} : { template: join(FOLDER, 'templates', template) }),
  };
  const server = spawn(join(FOLDER, 'venv', 'bin', 'python'), [SERVE, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exchanges: ModelExchange[] = [];
  const target = await readAddress(server);
  const proxy = createServer((incoming, response) => void forward(target, incoming, response, exchanges));
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/v1`,
    exchanges,
    async close() {
      proxy.close();
      proxy.closeAllConnections();
      if (server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, 'exit');
      // The server waits for answers that no client reads any more.
      server.kill('SIGKILL');
      await ended;
    },
  };
}

async function readAddress(server: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: server.stdout! }))
    if (line.startsWith('http')) return line.trim();
  throw new Error(`the model server ended with ${server.exitCode}`);
}

async function forward(
  target: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  exchanges: ModelExchange[],
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const { method, url: path = '', headers } = incoming;
  const onward = httpRequest(new URL(path, target), { method, headers }, (answer) => {
    const { statusCode: status = 0 } = answer;
    let refusal = '';
    response.writeHead(status, answer.headers);
    answer.on('data', (piece: Buffer) => {
      if (status >= 400) refusal += piece.toString();
      response.write(piece);
    });
    answer.on('end', () => {
      if (path.endsWith('/chat/completions'))
        exchanges.push({
          path,
          asked: JSON.parse(body.toString()) as ModelExchange['asked'],
          status,
          refusal,
        });
      response.end();
    });
    answer.on('error', () => response.destroy());
  });
  onward.on('error', () => response.destroy());
  // A call that is given up ends the model's work too.
  response.on('close', () => onward.destroy());
  onward.end(body);
}
