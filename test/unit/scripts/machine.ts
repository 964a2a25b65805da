import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { makeTempDir } from '../../support/temp-dir';
import { runModule, type ScriptProcess } from '../../support/run-module';

export const GOOD_VERSION = 'temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)';
export const ARCHIVE = `temporal_cli_1.5.1_${platform()}_${arch() === 'x64' ? 'amd64' : arch()}.tar.gz`;

/** A program that answers as the Temporal CLI does. */
export const fakeCli = (version = GOOD_VERSION): string => `#!/bin/sh\necho '${version}'\n`;

/** A machine as the set-up sees it: a separate PATH, cache and release page, and nothing else. */
export interface Machine {
  readonly path: string;
  /** The folder in which the set-up stores what it downloads. */
  readonly cached: string;
  /** The served files, by address below the release page; every other address answers 404. */
  readonly served: Map<string, Buffer | string>;
  /** The requests in the order of their arrival. */
  readonly requests: string[];
  /** Puts a program on PATH. */
  install(name: string, script: string): string;
  /** Serves a release with this binary, with its correct checksum by default. */
  release(binary: string, checksum?: string): void;
  ensure(env?: Readonly<Record<string, string>>): ScriptProcess;
  /** Every file of the cache, relative to it. */
  cacheFiles(): string[];
  record(): { path: string } | undefined;
  clean(): Promise<void>;
}

export async function makeMachine(): Promise<Machine> {
  const folder = makeTempDir();
  const at = (...parts: string[]): string => join(folder.path, ...parts);
  for (const name of ['bin', 'cache', 'project']) mkdirSync(at(name));
  const served = new Map<string, Buffer | string>();
  const requests: string[] = [];
  const server = await serve(served, requests);
  const started: ScriptProcess[] = [];
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function install(name: string, script: string, path = at('bin', name)): string {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, script);
    chmodSync(path, 0o755);
    return path;
  }

  return {
    path: folder.path,
    cached: at('cache', 'temporal', '1.5.1', 'temporal'),
    served,
    requests,
    install: (name, script) => install(name, script),
    release(binary, checksum) {
      install('temporal', binary, at('release', 'temporal'));
      execFileSync('tar', ['-czf', at('archive'), '-C', at('release'), 'temporal']);
      const archive = readFileSync(at('archive'));
      const sum = checksum ?? createHash('sha256').update(archive).digest('hex');
      served.set(`/v1.5.1/${ARCHIVE}`, archive);
      served.set('/v1.5.1/checksums.txt', `${'0'.repeat(64)}  other.tar.gz\n${sum}  ${ARCHIVE}\n`);
    },
    ensure(env = {}) {
      const script = runModule(
        ['setup/temporal-cli.mjs'],
        `return scripts.ensureTemporalCli(${JSON.stringify(at('project'))});`,
        {
          PATH: `${at('bin')}:/usr/bin:/bin`,
          HOLDFAST_CACHE_DIR: at('cache'),
          HOLDFAST_TEMPORAL_DOWNLOAD_BASE: base,
          ...env,
        },
      );
      started.push(script);
      return script;
    },
    cacheFiles: () => readdirSync(at('cache'), { recursive: true, encoding: 'utf8' }).sort(),
    record() {
      const file = at('project', 'dist', 'temporal-cli.json');
      return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { path: string }) : undefined;
    },
    async clean() {
      for (const script of started) script.kill();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      folder.remove();
    },
  };
}

async function serve(served: Map<string, Buffer | string>, requests: string[]): Promise<Server> {
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const body = served.get(request.url ?? '');
    const headers = { 'content-length': Buffer.byteLength(body ?? '') };
    response.writeHead(body === undefined ? 404 : 200, headers).end(body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
