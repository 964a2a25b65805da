import { type AddressInfo, createServer as createPlain, type Server, type Socket } from 'node:net';
import { createServer as createTls } from 'node:tls';

/** A Neo4j server as far as tests need one: each statement returns one row, the name and version of a server. */
export interface BoltServer {
  readonly port: number;
  /** The number of connections; TLS connections count once their name was requested. */
  readonly connections: number;
  /** The names that TLS requested, in order. */
  readonly names: readonly string[];
  /** Ends all connections that are open. */
  cut(): void;
  /** From now on the connections that are open say nothing, as when a network has lost them; new ones work. */
  mute(): void;
  close(): Promise<void>;
}

export interface BoltServerOptions {
  /** The address to listen on; 127.0.0.1 by default. */
  readonly address?: string;
  readonly port?: number;
  /** The address of all cluster members in its routing table, as in `127.0.0.1:7687`; by default the table is empty. */
  readonly routesTo?: string;
  /** The only value of each row, as PackStream; by default the version of a server. */
  readonly value?: Buffer;
  /** Key and certificate as PEM texts; absent for a server without TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

// Signatures of messages, by the Bolt protocol 4.4.
const HELLO = 0x01;
const GOODBYE = 0x02;
const RUN = 0x10;
const PULL = 0x3f;
const ROUTE = 0x66;
const SUCCESS = 0x70;
const RECORD = 0x71;

/** Speaks Bolt 4.4 with fixed answers (https://neo4j.com/docs/bolt/current/), over real sockets. */
export async function startBoltServer(options: BoltServerOptions = {}): Promise<BoltServer> {
  const { address = '127.0.0.1', port = 0, routesTo, tls, value = packed('5.26.0') } = options;
  const sockets = new Set<Socket>();
  const muted = new WeakSet<Socket>();
  const names: string[] = [];
  let connections = 0;

  const serve = (socket: Socket): void => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let left = Buffer.alloc(0);
    let isGreeted = false;
    let message = Buffer.alloc(0);
    socket.on('data', (data: Buffer) => {
      if (muted.has(socket)) return;
      left = Buffer.concat([left, data]);
      if (!isGreeted) {
        if (left.length < 20) return;
        left = left.subarray(20);
        isGreeted = true;
        socket.write(Buffer.from([0, 0, 4, 4]));
      }
      while (left.length >= 2 && left.length >= 2 + left.readUInt16BE(0)) {
        const length = left.readUInt16BE(0);
        message = Buffer.concat([message, left.subarray(2, 2 + length)]);
        left = left.subarray(2 + length);
        if (length > 0 || message.length === 0) continue;
        // A structure's marker, then its signature.
        for (const answer of answersTo(message[1] ?? 0, routesTo, value)) socket.write(framed(answer));
        if (message[1] === GOODBYE) socket.end();
        message = Buffer.alloc(0);
      }
    });
  };

  const server: Server =
    tls === undefined
      ? createPlain(serve)
      : createTls(
          {
            ...tls,
            SNICallback: (name, done) => {
              names.push(name);
              done(null);
            },
          },
          serve,
        );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    names,
    cut,
    mute() {
      for (const socket of sockets) muted.add(socket);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}

function answersTo(signature: number, routesTo: string | undefined, value: Buffer): Buffer[] {
  switch (signature) {
    case HELLO:
      return [structure(SUCCESS, { server: 'Neo4j/5.26.0', connection_id: 'bolt-1' })];
    case ROUTE: {
      const addresses = routesTo === undefined ? [] : [routesTo];
      const servers = ['ROUTE', 'READ', 'WRITE'].map((role) => ({ addresses, role }));
      return [structure(SUCCESS, { rt: { ttl: 300, db: 'neo4j', servers } })];
    }
    case RUN:
      return [structure(SUCCESS, { fields: ['version'], t_first: 0, qid: 0 })];
    case PULL:
      return [
        Buffer.concat([Buffer.from([0xb1, RECORD, 0x91]), value]),
        structure(SUCCESS, { has_more: false, type: 'r', t_last: 0 }),
      ];
    case GOODBYE:
      return [];
    default:
      return [structure(SUCCESS, {})];
  }
}

const MAX_CHUNK = 0xffff;

/** The message in chunks, and the empty chunk that ends it. */
function framed(message: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < message.length; at += MAX_CHUNK) {
    const chunk = message.subarray(at, at + MAX_CHUNK);
    const head = Buffer.alloc(2);
    head.writeUInt16BE(chunk.length);
    chunks.push(head, chunk);
  }
  return Buffer.concat([...chunks, Buffer.alloc(2)]);
}

function structure(signature: number, field: unknown): Buffer {
  return Buffer.concat([Buffer.from([0xb1, signature]), packed(field)]);
}

/** Encodes the small values used here as PackStream. */
function packed(value: unknown): Buffer {
  if (typeof value === 'boolean') return Buffer.from([value ? 0xc3 : 0xc2]);
  if (typeof value === 'number') return Buffer.from([0xc9, (value >> 8) & 0xff, value & 0xff]);
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([Buffer.from([0xd0, bytes.length]), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([0x90 + value.length]), ...value.map(packed)]);
  const entries = Object.entries(value as object);
  return Buffer.concat([Buffer.from([0xa0 + entries.length]), ...entries.flat().map(packed)]);
}
