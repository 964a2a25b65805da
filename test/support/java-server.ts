import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from './deployment';
import { createServer, type Server } from './server';

/** Compiler settings that start quickly and run slower code later. */
const JVM = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

export interface JavaServerOptions {
  /** The script of `scripts/setup` that fetches the libraries and prints their folder. */
  readonly name: string;
  /** The folder of `Launcher.java`, which prints "ready" and ends when its standard input closes. */
  readonly folder: string;
  readonly megabytes: number;
  readonly args: readonly string[];
  readonly secret: string;
}

/**
 * Describes a server in Java that does not run yet. It ends with this process, even if that is killed. The first call on
 * a machine takes minutes, because Maven fetches the libraries.
 */
export async function createJavaServer(options: JavaServerOptions): Promise<Server> {
  const { name, folder, megabytes, args, secret } = options;
  const script = join(PROJECT_ROOT, 'scripts', 'setup', `${name}.mjs`);
  const { stdout: jars } = await promisify(execFile)(process.execPath, [script]);
  return createServer({
    name,
    command: 'java',
    args: [`-Xmx${megabytes}m`, ...JVM, '-cp', join(jars, '*'), join(folder, 'Launcher.java'), ...args],
    input: secret,
    isReady: async (lines) => lines.includes('ready'),
    stopSignal: 'SIGKILL',
  });
}
