import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export interface ProgramOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  readonly limitMs: number;
}

/**
 * Runs a program and waits for its end.
 * @returns its standard output
 * @throws Error with the last line of its output, if it failed or took longer than `limitMs`
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  { env, cwd, user, limitMs }: ProgramOptions,
): Promise<string> {
  try {
    const { stdout } = await execute(command, args, {
      timeout: limitMs,
      killSignal: 'SIGKILL',
      // The locale is fixed, so that the messages are in English.
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...env },
      cwd,
      ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
    });
    return stdout;
  } catch (error) {
    const {
      killed,
      stdout = '',
      stderr = '',
      message,
    } = error as Error & {
      killed?: boolean;
      stdout?: string;
      stderr?: string;
    };
    const said = `${stdout}\n${stderr}`.trim().split('\n').at(-1);
    const why = killed ? `took longer than ${limitMs} ms` : 'failed';
    throw new Error(`${command} ${why}: ${said || message}`, { cause: error });
  }
}
