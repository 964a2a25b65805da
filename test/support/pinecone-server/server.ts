import type { ServerResponse } from 'node:http';
import { type PeerRequest, sendJson, startStubPeer, type StubPeer } from '../stub-peer';
import { freePort } from '../free-port';
import { type Behaviour, type Serve, serves } from './behaviours';
import { createIndex, describe, type IndexSpec, parseIndexSpec, type StubIndex } from './control-plane';
import { controlPlaneBody, dataPlaneBody, Refusal } from './errors';

export const API_KEY = 'pcsk_stub_key';

export interface PineconeServer {
  /** The address of the control plane. */
  readonly url: string;
  /** The requests to both planes, in the order of their arrival. */
  readonly requests: readonly PeerRequest[];
  /** Counts the requests with this method and path, without a query: `POST /query`. */
  count(route: string): number;
  /** Queues one behaviour for each of the next requests, in order. */
  script(...behaviours: Behaviour[]): void;
  /** Sets the behaviour for an empty queue; `serves()` at first. */
  otherwise(behaviour: Behaviour): void;
  /** Sets how often indexes that are made from now on are described as not ready. */
  initializingFor(descriptions: number): void;
  /** Hides writes from now on from reads. */
  hold(): void;
  /** Shows all writes to reads, including later ones. */
  release(): void;
  /** Makes an index as another client would. */
  addIndex(spec: Partial<IndexSpec> & Pick<IndexSpec, 'name'>): Promise<StubIndex>;
  index(name: string): StubIndex;
  deleteIndex(name: string): Promise<void>;
  /** Stops as a killed process does: connections are cut, and no process listens. Written data stays. */
  stop(): Promise<void>;
  /** Listens again at the same addresses. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Pinecone's HTTP API over random ports, with one address for the control plane and one for each index. Written
 * from the descriptions (OpenAPI, 2026-07) that the official client is generated from, and
 * https://docs.pinecone.io/reference/api.
 */
export async function startPineconeServer(): Promise<PineconeServer> {
  const requests: PeerRequest[] = [];
  const queue: Behaviour[] = [];
  const indexes = new Map<string, StubIndex>();
  const hosts = new Map<string, StubPeer>();
  let rest = serves();
  let holding = false;
  let initializing = 0;

  const listen = async (serve: Serve): Promise<StubPeer> =>
    startStubPeer(
      async (request, response) => {
        requests.push(request);
        const behaviour = queue.shift() ?? rest;
        await behaviour(request, response, authorized(serve));
      },
      await freePort(),
    );

  const addIndex = async (spec: IndexSpec): Promise<StubIndex> => {
    if (indexes.has(spec.name)) throw new Refusal('ALREADY_EXISTS', 'Resource already exists');
    const peer = await listen((request, response) =>
      answering(response, dataPlaneBody, () => {
        const url = new URL(request.path, peer.url);
        const answer = index.data.handle({ method: request.method, url, body: request.body });
        sendJson(response, answer.status, answer.body, answer.headers);
      }),
    );
    const index = createIndex(spec, peer.url, () => !holding);
    index.describedAsInitializing = initializing;
    indexes.set(spec.name, index);
    hosts.set(spec.name, peer);
    return index;
  };

  const find = (name: string): StubIndex => {
    const index = indexes.get(name);
    if (index === undefined) throw new Refusal('NOT_FOUND', `Resource ${name} not found`);
    return index;
  };

  const serveControl: Serve = ({ method, path, body }, response) =>
    answering(response, controlPlaneBody, async () => {
      const [, name] = /^\/indexes(?:\/([^/]+))?$/.exec(path) ?? [];
      if (method === 'POST' && name === undefined) {
        return sendJson(response, 201, describe(await addIndex(parseIndexSpec(body))));
      }
      if (method !== 'GET') throw new Refusal('NOT_FOUND', `no route ${method} ${path}`);
      if (name !== undefined) return sendJson(response, 200, describe(find(name)));
      sendJson(response, 200, { indexes: [...indexes.values()].map(describe) });
    });

  const control = await listen(serveControl);

  return {
    url: control.url,
    requests,
    count: (route) =>
      requests.filter(({ method, path }) => `${method} ${path.split('?')[0]}` === route).length,
    script: (...behaviours) => void queue.push(...behaviours),
    otherwise: (behaviour) => void (rest = behaviour),
    initializingFor: (descriptions) => void (initializing = descriptions),
    hold: () => void (holding = true),
    release() {
      holding = false;
      for (const { data } of indexes.values())
        for (const namespace of data.namespaces.values()) namespace.index();
    },
    addIndex: (spec) =>
      addIndex({ dimension: 3, metric: 'cosine', cloud: 'aws', region: 'us-east-1', ...spec }),
    index: find,
    async deleteIndex(name) {
      indexes.delete(name);
      await hosts.get(name)?.close();
      hosts.delete(name);
    },
    async stop() {
      await Promise.all([control, ...hosts.values()].map((peer) => peer.suspend()));
    },
    async restart() {
      await Promise.all([control, ...hosts.values()].map((peer) => peer.resume()));
    },
    async close() {
      await Promise.all([control, ...hosts.values()].map((peer) => peer.close()));
    },
  };
}

/** A separate layer checks keys and answers in plain text. */
function authorized(serve: Serve): Serve {
  return (request, response) => {
    if (request.headers['api-key'] === API_KEY) serve(request, response);
    else response.writeHead(401, { 'content-type': 'text/plain' }).end('Unauthorized');
  };
}

function answering(
  response: ServerResponse,
  toBody: (refusal: Refusal) => object,
  answer: () => void | Promise<void>,
): void {
  const refuse = (error: unknown): void => {
    if (error instanceof Refusal) sendJson(response, error.status, toBody(error));
    else sendJson(response, 500, { message: String(error) });
  };
  try {
    Promise.resolve(answer()).catch(refuse);
  } catch (error) {
    refuse(error);
  }
}
