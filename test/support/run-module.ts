import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './fixture-project';

export interface ScriptProcess {
  readonly pid: number;
  /** What it has written to standard error so far: the progress lines. */
  readonly messages: () => string;
  /** Resolves with what the code returned, rejects with its error output. */
  readonly result: Promise<unknown>;
  kill(): void;
}

/**
 * Runs code with the set-up scripts in a process of its own, as npm does; jest cannot load them, since they
 * are ECMAScript modules. `code` is the body of an async function and gets the modules by name.
 *
 * @param modules paths below scripts/, for instance `setup/lock.mjs`
 */
export function runModule(
  modules: readonly string[],
  code: string,
  env: Readonly<Record<string, string>> = {},
): ScriptProcess {
  const imports = modules.map((path) => `...(await import(${JSON.stringify(join(ROOT, 'scripts', path))}))`);
  const main = `
    const scripts = { ${imports.join(', ')} };
    const result = await (async () => { ${code} })();
    process.stdout.write(JSON.stringify(result ?? null));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', main], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let messages = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (messages += text));
  const result = new Promise<unknown>((resolve, reject) => {
    child.once('close', (code, signal) => {
      if (code === 0) resolve(output === '' ? undefined : JSON.parse(output));
      else reject(new Error(`ended with ${String(code ?? signal)}: ${messages}`));
    });
  });
  // A test that kills the process need not wait for its result.
  result.catch(() => undefined);
  return { pid: child.pid ?? -1, messages: () => messages, result, kill: () => void child.kill('SIGKILL') };
}
