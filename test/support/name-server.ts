import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** What the server says of a name: its addresses, another name, an error by number, or nothing at all. */
export interface NameRecord {
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  readonly cname?: string;
  /** 2: the server failed; 3: no such name. */
  readonly error?: number;
  readonly silent?: boolean;
  /** Over UDP the answer is cut off, so the client has to ask by TCP. */
  readonly truncated?: boolean;
}

export interface NameServer {
  /** As `Resolver.setServers` takes it. */
  readonly address: string;
  /** The names that were asked for, each with its type, in order. */
  readonly asked: string[];
  close(): Promise<void>;
}

const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };
const CNAME = 5;
/** No answer may be kept. */
const TTL = Buffer.alloc(4);
/** In an answer: the name of the question. */
const QUESTION: Buffer = Buffer.from([0xc0, 0x0c]);

/** Starts a name server on a free loopback port, UDP and TCP. @param find what it says of a name in lower case; undefined: no such name */
export async function startNameServer(find: (name: string) => NameRecord | undefined): Promise<NameServer> {
  const asked: string[] = [];
  const answerTo = (query: Buffer, isUdp: boolean): Buffer | undefined => {
    const { name, type, end } = readQuestion(query);
    asked.push(`${name} ${TYPES[type] ?? type}${isUdp ? '' : ' by TCP'}`);
    return respond(query.subarray(0, end), type, find(name) ?? { error: 3 }, find, isUdp);
  };
  const { udp, tcp, port } = await listen();
  const sockets = new Set<Socket>();
  udp.on('message', (query: Buffer, { port: from, address }: RemoteInfo) => {
    const answer = answerTo(query, true);
    if (answer !== undefined) udp.send(answer, from, address);
  });
  tcp.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let received = Buffer.alloc(0);
    socket.on('data', (data: Buffer) => {
      received = Buffer.concat([received, data]);
      while (received.length > 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0);
        const answer = answerTo(received.subarray(2, end), false);
        received = received.subarray(end);
        if (answer !== undefined) socket.write(Buffer.concat([uint16(answer.length), answer]));
      }
    });
  });
  return {
    address: `127.0.0.1:${port}`,
    asked,
    async close() {
      for (const socket of sockets) socket.destroy();
      tcp.close();
      udp.close();
      await Promise.all([once(tcp, 'close'), once(udp, 'close')]);
    },
  };
}

/** Finds a port that is free for both protocols. */
async function listen() {
  for (;;) {
    const udp = createSocket('udp4');
    udp.bind(0, '127.0.0.1');
    await once(udp, 'listening');
    const { port } = udp.address();
    const tcp = createServer();
    try {
      tcp.listen(port, '127.0.0.1');
      await once(tcp, 'listening');
      return { udp, tcp, port };
    } catch {
      udp.close();
    }
  }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function respond(
  question: Buffer,
  type: number,
  record: NameRecord,
  find: (name: string) => NameRecord | undefined,
  isUdp: boolean,
): Buffer | undefined {
  if (record.silent === true) return undefined;
  const isCut = record.truncated === true && isUdp;
  const answers: Buffer[] = [];
  let target = record;
  if (record.cname !== undefined) {
    answers.push(resourceRecord(CNAME, encodeName(record.cname)));
    target = find(record.cname) ?? { error: 3 };
  }
  const addresses = (TYPES[type] === 'A' ? target.a : target.aaaa) ?? [];
  const owner = record.cname === undefined ? undefined : encodeName(record.cname);
  for (const address of addresses) answers.push(resourceRecord(type, encodeAddress(address), owner));
  const head = Buffer.from(question);
  // A response, recursion available.
  head.writeUInt16BE(0x8180 | (isCut ? 0x0200 : 0) | (target.error ?? 0), 2);
  head.writeUInt16BE(isCut ? 0 : answers.length, 6);
  // Neither authorities nor the additional record of the question.
  head.writeUInt32BE(0, 8);
  return Buffer.concat(isCut ? [head] : [head, ...answers]);
}

/** @param owner the encoded name that the record is of; absent: the name of the question */
function resourceRecord(type: number, data: Buffer, owner = QUESTION): Buffer {
  return Buffer.concat([owner, uint16(type), uint16(1), TTL, uint16(data.length), data]);
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

/** @param address dotted, or of eight groups */
function encodeAddress(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  return Buffer.concat(address.split(':').map((group) => uint16(parseInt(group, 16))));
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
