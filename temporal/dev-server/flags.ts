import { join } from 'node:path';
import { SERVER_SETTINGS } from '../server-settings';
import { type DevServerOptions, FILES } from './options';

const DYNAMIC_CONFIG = [
  ...Object.entries(SERVER_SETTINGS).map(([name, value]) => `${name}=${value}`),
  // By default the server takes three to six minutes to report that the last run of a build has ended.
  'matching.wv.VersionDrainageStatusVisibilityGracePeriod="10s"',
  'matching.wv.VersionDrainageStatusRefreshInterval="10s"',
  // A promotion waits for new polls of the workers, which by default begin once a minute.
  'matching.longPollExpirationInterval="10s"',
];

/**
 * The database uses a write-ahead log for speed, and syncs it at each commit, so that acknowledged writes survive a
 * power failure. Deleted data is overwritten, so that the file does not keep the history of an erased user's turns.
 */
const SQLITE_PRAGMAS = ['journal_mode=wal', 'synchronous=2', 'secure_delete=1'];

/**
 * Names the file of the database for the server, which runs in the data folder. The server makes a URI of the name, in which some
 * characters would end the path or stand for others, so a folder with such characters is left out of it.
 */
function databaseName(dataDir: string): string {
  return /[#%?]/.test(dataDir) ? FILES.database : join(dataDir, FILES.database);
}

/** Builds the command line of the server. Servers of one data folder with equal command lines are interchangeable. */
export function serverArguments(options: DevServerOptions): string[] {
  const { host, port, uiPort, dataDir, namespace, searchAttributes, dynamicConfig = [] } = options;
  return [
    ...['server', 'start-dev', '--log-level', 'warn', '--color', 'never'],
    ...['--ip', host, '--port', String(port), '--ui-port', String(uiPort)],
    ...['--db-filename', databaseName(dataDir)],
    ...['--namespace', namespace],
    ...SQLITE_PRAGMAS.flatMap((pragma) => ['--sqlite-pragma', pragma]),
    ...[...DYNAMIC_CONFIG, ...dynamicConfig].flatMap((setting) => ['--dynamic-config-value', setting]),
    ...Object.entries(searchAttributes)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]),
  ];
}
