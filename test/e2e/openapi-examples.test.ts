import { type AuthorizationServer, startAuthorizationServer } from '../support/authorization-server';
import { type Answer, request } from '../support/http';
import { startProtectedMcp } from '../support/protected-mcp';
import { type RemoteMcp, startRemoteMcp, text } from '../support/remote-mcp';
import { type Service, startService } from '../support/service';
import { noOpenRuns } from '../support/leaks';
import { startStubPeer, type StubPeer } from '../support/stub-peer';
import { connectTemporal } from '../support/temporal-client';

/**
 * The examples of the OpenAPI document of the main API, each sent as it stands. What the service makes the id of is found by the
 * document's links, from an earlier answer.
 */

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly example?: unknown;
  readonly description?: string;
}
interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}
interface Content {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': Content } };
  readonly responses: Readonly<Record<string, { readonly links?: Readonly<Record<string, Link>> }>>;
}
interface Called extends Operation {
  readonly path: string;
  readonly method: string;
}

/** They take seconds and need nothing of the others, which run meanwhile. */
const SLOW = ['testAgent', 'eraseMemories'];
/** What removes the tools of all others comes last. */
const LAST = ['clearTools', 'restoreTools'];

/** Areas are initialized first, then what is slow begins; what creates comes next, and what removes comes after the rest. */
function sorted(operations: readonly Called[]): Called[] {
  const rankOf = ({ operationId, method, responses }: Called): number => {
    if (operationId.startsWith('initialize')) return 0;
    if (SLOW.includes(operationId)) return 1;
    if (LAST.includes(operationId)) return 5 + LAST.indexOf(operationId);
    if (method === 'delete') return 4;
    return '201' in responses ? 2 : 3;
  };
  // What is removed was made from what comes before it in the document.
  const removedInReverse = (one: Called, other: Called): number =>
    rankOf(one) === 4 ? operations.indexOf(other) - operations.indexOf(one) : 0;
  return [...operations].sort((one, other) => rankOf(one) - rankOf(other) || removedInReverse(one, other));
}

const isRemoval = ({ operationId, method }: Called): boolean =>
  method === 'delete' || LAST.includes(operationId);

let service: Service;
let shop: RemoteMcp;
let wiki: RemoteMcp;
let by: AuthorizationServer;
let receiver: StubPeer;
beforeAll(async () => {
  shop = await startRemoteMcp({ find_order: { call: () => text('found') } });
  const publicUrl = 'http://127.0.0.1:3000';
  by = await startAuthorizationServer(publicUrl);
  wiki = await startProtectedMcp(by);
  receiver = await startStubPeer((_, response) => void response.writeHead(204).end());
  service = await startService({
    // No model can be downloaded here.
    MEMORY_EMBEDDING_PROVIDER: 'lexical',
    PUBLIC_URL: publicUrl,
    WEBHOOK_URL: receiver.url,
    WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 'example').toString('base64')}`,
  });
});
afterAll(async () => {
  // Each run is reported, which ends a little after the run.
  const temporal = await connectTemporal();
  await noOpenRuns(temporal.client, service.taskQueue);
  await temporal.close();
  await service.stop();
  await Promise.all([shop.close(), wiki.close(), receiver.close()]);
  await by.close();
});

async function readOperations(url: string): Promise<Called[]> {
  const { body } = await request(`${url}/api/openapi.json`);
  return Object.entries(body.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
}

test('every operation has a name of its own that reads well', async () => {
  for (const url of [service.url, service.recordsUrl]) {
    const ids = (await readOperations(url)).map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)*$/);
  }
});

test('a parameter that no caller can choose says which answer has it', async () => {
  for (const { operationId, parameters } of await readOperations(service.url))
    for (const { name, in: place, example, description } of parameters)
      if (place === 'path' && example === undefined)
        expect([operationId, name, description]).toEqual([
          operationId,
          name,
          expect.stringMatching(/From the answer of `\w+`/),
        ]);
});

/** The example with the address of a server of this suite. */
function reachable(example: { readonly auth?: unknown }): object {
  return { ...example, url: (example.auth === undefined ? shop : wiki).url };
}

test('every example of the main API is answered with a success', async () => {
  const operations = await readOperations(service.url);
  const found = new Map<string, Record<string, string>>();
  const failed: string[] = [];
  const sent = new Set<string>();

  const valueOf = ({ operationId }: Called, { name, example }: Parameter): unknown =>
    example ?? found.get(operationId)?.[name];
  const isReady = (operation: Called): boolean =>
    operation.parameters.every(
      (parameter) => !parameter.required || valueOf(operation, parameter) !== undefined,
    );

  async function run(operation: Called): Promise<void> {
    const { path, method, parameters, requestBody, operationId } = operation;
    const url = new URL(service.url);
    url.pathname = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const parameter = parameters.find((one) => one.name === name);
      return encodeURIComponent(String(parameter && valueOf(operation, parameter)));
    });
    for (const { name, example, ...parameter } of parameters)
      if (parameter.in === 'query' && example !== undefined) url.searchParams.set(name, String(example));
    const [type = 'application/json', content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
    for (const body of bodiesOf(content)) {
      const filled = operationId === 'addMcpServer' ? reachable(body as { auth?: unknown }) : body;
      const headers = { 'content-type': type, accept: 'application/json' };
      const isText = type !== 'application/json';
      const answer = await request(url.href, {
        method: method.toUpperCase(),
        headers,
        ...(requestBody === undefined ? {} : { body: isText ? (filled as string) : JSON.stringify(filled) }),
      });
      sent.add(operationId);
      if (answer.status > 202) failed.push(`${operationId} ${url.pathname}: ${answer.status} ${answer.text}`);
      for (const [status, { links = {} }] of Object.entries(operation.responses))
        if (Number(status) === answer.status)
          for (const link of Object.values(links)) follow(link, answer, operation);
    }
  }

  /** Keeps the values that an answer has for another operation. */
  function follow(link: Link, { headers, body }: Answer, from: Called): void {
    const values = Object.entries(link.parameters).map(([name, expression]) => {
      const [, header] = /^\$response\.header\.(.+)$/.exec(expression) ?? [];
      const [, pointer] = /^\$response\.body#(.+)$/.exec(expression) ?? [];
      const [, ofPath] = /^\$request\.path\.(.+)$/.exec(expression) ?? [];
      const parameter = from.parameters.find((one) => one.name === ofPath);
      const value: unknown = header
        ? headers.get(header)
        : pointer
          ? pointer
              .slice(1)
              .split('/')
              .reduce((part, key) => part?.[key], body)
          : parameter && valueOf(from, parameter);
      return [name, value] as const;
    });
    if (values.every(([, value]) => value !== undefined && value !== null))
      found.set(link.operationId, Object.fromEntries(values) as Record<string, string>);
  }

  const running: Promise<void>[] = [];
  let waiting = sorted(operations);
  const asked = new Set<Called>();
  while (waiting.length > 0) {
    const next = waiting.find(isReady);
    if (next !== undefined) {
      waiting = waiting.filter((operation) => operation !== next);
      if (SLOW.includes(next.operationId)) {
        running.push(run(next));
      } else {
        if (isRemoval(next)) await Promise.all(running.splice(0));
        await run(next);
      }
      continue;
    }
    if (running.length > 0) {
      await Promise.all(running.splice(0));
      continue;
    }
    // A list that was empty when it was read may have something by now.
    const lists = operations.filter(
      (operation) => operation.method === 'get' && !waiting.includes(operation) && !asked.has(operation),
    );
    if (lists.length === 0) break;
    for (const list of lists) {
      asked.add(list);
      await run(list);
    }
  }
  await Promise.all(running);
  expect(waiting.map(({ operationId }) => operationId)).toEqual([]);
  expect(failed).toEqual([]);
  expect([...sent].sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
});

/** No body counts as one request. */
function bodiesOf(content: Content | undefined): unknown[] {
  if (content?.examples !== undefined) return Object.values(content.examples).map(({ value }) => value);
  return [content?.example];
}
