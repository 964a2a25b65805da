import { sendJson, startStubPeer, type PeerHandler, type StubPeer } from './stub-peer';

/** A server of models on a random port of this machine. */
export interface ListServer extends StubPeer {
  readonly port: number;
}

export async function startListServer(handler: PeerHandler): Promise<ListServer> {
  const peer = await startStubPeer(handler);
  return { ...peer, port: Number(new URL(peer.url).port) };
}

/** Answers as `GET /v1/models` does. */
export function lists(...ids: readonly unknown[]): PeerHandler {
  return (_request, response) =>
    sendJson(response, 200, { object: 'list', data: ids.map((id) => ({ id, object: 'model' })) });
}
