import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeTempDir } from './temp-dir';

export const ROOT = resolve(__dirname, '..', '..');

export interface FixtureProject {
  readonly path: string;
  write(file: string, text: string): void;
  /** Runs a tool of this project's node_modules in the fixture; resolves with its standard output. */
  runTool(script: string, args: readonly string[]): Promise<string>;
  remove(): void;
}

/** A project in a separate folder with the settings and packages of this one. */
export function makeFixtureProject(): FixtureProject {
  const folder = makeTempDir();
  const at = (file: string): string => join(folder.path, file);
  for (const file of ['package.json', 'tsconfig.json']) copyFileSync(join(ROOT, file), at(file));
  symlinkSync(join(ROOT, 'node_modules'), at('node_modules'));
  return {
    path: folder.path,
    write(file, text) {
      mkdirSync(dirname(at(file)), { recursive: true });
      writeFileSync(at(file), text);
    },
    runTool: (script, args) =>
      new Promise((settle, reject) => {
        const command = [join(ROOT, 'node_modules', script), ...args];
        // A linter that finds a problem reports it and exits with a code other than 0.
        execFile(process.execPath, command, { cwd: folder.path, maxBuffer: 1e8 }, (error, stdout, stderr) => {
          if (stdout !== '') settle(stdout);
          else reject(new Error(`${script}: ${error?.message ?? ''} ${stderr}`));
        });
      }),
    remove: folder.remove,
  };
}
