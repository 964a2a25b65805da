import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { freePort } from './free-port';
import { type Answer, type Paths, pathsOf } from './http';
import { bearer } from './keys';
import { LEXICAL } from './memories';
import { type PartProcess, spawnPart } from './process';
import { type RemoteMcp, startRemoteMcp, text } from './remote-mcp';
import { startStubPeer, type StubPeer } from './stub-peer';
import { makeTempDir } from './temp-dir';
import { waitFor } from './wait';

const STORED = resolve(__dirname, '..', 'data-folders');

/** A run that was open when the folder was made. */
export interface OpenRun {
  readonly traceId: string;
  readonly workflowId: string;
  readonly approvals: readonly string[];
}

/** What `make-folder.mjs` stored in a folder; the build of a folder without an entry could not store it. */
export interface Holds {
  readonly key?: string;
  /** A key of `ann` of the tenant `acme`, which has stored nothing. */
  readonly tenant?: string;
  readonly tool: string;
  /** The number of tool calls that the statistics had. */
  readonly calls: number;
  readonly run: { readonly traceId: string; readonly workflowId: string };
  readonly workflow?: string;
  readonly memories?: Readonly<Record<'first' | 'second' | 'concept' | 'child', string>>;
  /** Memories of `eve`, by the parts by which a later build finds them. */
  readonly languages?: Readonly<Record<string, string>>;
  readonly fact?: string;
  readonly turn?: string;
  readonly classifications?: true;
  readonly erasure?: { readonly receipt?: string };
  readonly records?: string;
  readonly mcp?: string;
  readonly open?: Readonly<Record<string, OpenRun>>;
}

/** Today's service on a folder that an earlier build made. */
export interface OldFolder {
  readonly holds: Holds;
  readonly api: Paths;
  readonly records: Paths;
  readonly process: PartProcess;
  /** Stands for the provider whose key was stored. */
  readonly models: StubPeer;
  /** Stands for the remote MCP server that was added. */
  readonly remote: RemoteMcp;
  stop(): Promise<void>;
}

/** Unpacks the folder that a build made and starts today's service on it, with its own development server. */
export async function openOldFolder(commit: string): Promise<OldFolder> {
  const dir = makeTempDir();
  execFileSync('tar', ['-xzf', join(STORED, `${commit}.tar.gz`), '-C', dir.path]);
  const holds = JSON.parse(readFileSync(join(dir.path, 'holds.json'), 'utf8')) as Holds;
  const models = await startStubPeer((_, response) => void response.writeHead(401).end('{}'));
  const remote = await startRemoteMcp({ find: { description: 'Finds', call: () => text('tea') } });
  if (holds.mcp !== undefined) moveServer(join(dir.path, 'holdfast.db'), holds.mcp, remote.url);
  const [temporal, ui] = [await freePort(), await freePort()];
  const process = spawnPart('start', {
    ...LEXICAL,
    DATA_DIR: dir.path,
    PORT: '0',
    RECORDS_PORT: '0',
    TEMPORAL_PORT: String(temporal),
    TEMPORAL_UI_PORT: String(ui),
    // The runs of the folder ended when it was made.
    TEMPORAL_RETENTION_DAYS: '3650',
    WORKER_UNFIT_RUN_WINDOW_MS: '2000',
    OPENAI_BASE_URL: models.url,
    ...(holds.key === undefined ? {} : { AUTH: 'keys', EGRESS_ALLOW_PRIVATE: 'true' }),
  });
  async function stop(): Promise<void> {
    await process.stop();
    await Promise.all([models.close(), remote.close()]);
    dir.remove();
  }
  try {
    const up = await process.line('holdfast is up');
    const api = withKey(String(up['api']), holds.key);
    await waitFor(async () => (await api.get('/api/health')).body?.data?.status === 'healthy', {
      what: 'the service to be healthy',
    });
    return { holds, api, records: withKey(String(up['records']), holds.key), process, models, remote, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Sends requests with the key that the folder has. */
export function withKey(url: string, key: string | undefined): Paths {
  const paths = pathsOf(url);
  if (key === undefined) return paths;
  const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
    paths.send(method, path, body, bearer(key));
  return { send, get: (path) => send('GET', path), post: (path, body) => send('POST', path, body) };
}

/** The MCP server of the folder listened on a port that another program may have today. */
function moveServer(path: string, from: string, to: string): void {
  const database = new Database(path);
  const move = "UPDATE documents SET value = replace(value, ?, ?) WHERE collection = 'mcp-servers'";
  database.prepare(move).run(from, to);
  database.close();
}
