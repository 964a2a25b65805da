import { type AddressInfo, createServer, type Server } from 'node:net';
import { findTemporalCli } from '../../../temporal/dev-server/find-cli';
import type { DevServer, DevServerLogger, DevServerOptions } from '../../../temporal/dev-server/options';
import { startDevServer } from '../../../temporal/dev-server/start-dev-server';
import { makeTempDir } from '../../support/temp-dir';
import { readIdentity } from '../../../temporal/dev-server/stop-process';

export interface RecordedLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly context: object;
}

/** Options of a separate server on free ports and in a new folder; `lines` has what it logs. */
export interface ServerFixture {
  readonly options: DevServerOptions;
  readonly lines: RecordedLine[];
  /** Starts a server that is stopped at the end of the test, whether the test passes or fails. */
  start(changes?: Partial<DevServerOptions>): Promise<DevServer>;
  /** Stops what was started and removes the folder. */
  clean(): Promise<void>;
}

export async function serverFixture(): Promise<ServerFixture> {
  const folder = makeTempDir();
  const [port, uiPort] = await freePorts();
  const lines: RecordedLine[] = [];
  const started: DevServer[] = [];
  const record =
    (level: RecordedLine['level']): DevServerLogger['info'] =>
    (context, message) =>
      void lines.push({ level, context, message });
  const options: DevServerOptions = {
    cliPath: findTemporalCli(),
    host: '127.0.0.1',
    port,
    uiPort,
    dataDir: folder.path,
    namespace: 'default',
    retentionDays: 30,
    searchAttributes: { TestArea: 'Keyword', TestTools: 'KeywordList' },
    logger: { info: record('info'), warn: record('warn'), error: record('error') },
  };
  return {
    options,
    lines,
    async start(changes = {}) {
      const server = await startDevServer({ ...options, ...changes });
      started.push(server);
      return server;
    },
    async clean() {
      for (const server of started) await server.stop();
      folder.remove();
    },
  };
}

/** Listens on a free port, as another program would. */
export async function occupyPort(port = 0): Promise<Server & { readonly port: number }> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host: '127.0.0.1', port }, resolve);
  });
  return Object.assign(server, { port: (server.address() as AddressInfo).port });
}

/** Finds two ports on which no process listens. */
export async function freePorts(): Promise<[number, number]> {
  const first = await occupyPort();
  const second = await occupyPort();
  first.close();
  second.close();
  return [first.port, second.port];
}

/** True while a process with this pid runs; false for one that has ended and was not waited for. */
export function exists(pid: number): boolean {
  return readIdentity(pid).start !== undefined;
}
