import { join } from 'node:path';
import type { DevServerOptions } from './options';
import { FILES } from './options';

/**
 * Settings that the server is fast with on its single shard. By default it polls its queues 20 times a
 * second, which adds about 50 ms to every step; one partition a task queue suits one machine.
 */
const DYNAMIC_CONFIG = [
  'history.transferProcessorMaxPollRPS=2000',
  'history.timerProcessorMaxPollRPS=2000',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
  'system.enableActivityEagerExecution=true',
  // By default it takes three to six minutes to say that a build's last run has ended.
  'matching.wv.VersionDrainageStatusVisibilityGracePeriod="10s"',
  'matching.wv.VersionDrainageStatusRefreshInterval="10s"',
  // A worker shows that it lives by polling anew, which a promotion waits for; by default once a minute.
  'matching.longPollExpirationInterval="10s"',
  // Each caller that waits for a run is a waiting request of the server's too; by default it refuses more than 1,200 of a kind.
  'frontend.namespaceCount=20000',
];

/**
 * A write-ahead log for speed, synced at each commit: what was acknowledged survives a power cut. What is deleted is written
 * over: the history of an erased user's turn cannot be read in the file.
 */
const SQLITE_PRAGMAS = ['journal_mode=wal', 'synchronous=2', 'secure_delete=1'];

/** The command line of the server. Two equal command lines make the same server. */
export function serverArguments(options: DevServerOptions): string[] {
  const { host, port, uiPort, dataDir, namespace, searchAttributes, dynamicConfig = [] } = options;
  return [
    ...['server', 'start-dev', '--log-level', 'warn', '--color', 'never'],
    ...['--ip', host, '--port', String(port), '--ui-port', String(uiPort)],
    ...['--db-filename', join(dataDir, FILES.database)],
    ...['--namespace', namespace],
    ...SQLITE_PRAGMAS.flatMap((pragma) => ['--sqlite-pragma', pragma]),
    ...[...DYNAMIC_CONFIG, ...dynamicConfig].flatMap((setting) => ['--dynamic-config-value', setting]),
    ...Object.entries(searchAttributes)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]),
  ];
}
