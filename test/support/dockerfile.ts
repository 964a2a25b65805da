import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { PROJECT_ROOT, readProjectFile } from './deployment';

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The result of a Dockerfile performed in a folder: each stage has a folder in place of its root. */
export interface PerformedImage {
  /** The working folder of the last stage. */
  readonly path: string;
  /** Variables that the image sets. */
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

/**
 * Performs the steps of the project's Dockerfile in an empty folder, with only what .dockerignore lets through: without an engine,
 * and so on the system and the Node.js of this machine. `npm ci` takes the packages that are installed in this checkout; all other
 * commands run as they are written. An instruction that is not known here fails the caller's test.
 */
export function performDockerfile(folder: string): PerformedImage {
  const context = join(folder, 'context');
  copyContext(context);
  const stages = new Map<string, string>();
  let stage = '';
  let workdir = '/';
  const environment: Record<string, string> = {};
  let command: string[] = [];
  const inStage = (path: string): string => join(stage, posix.resolve(workdir, path));

  for (const { name, text } of readInstructions()) {
    switch (name) {
      case 'FROM': {
        stage = join(folder, `stage-${stages.size}`);
        mkdirSync(stage);
        stages.set(/ AS (\w+)$/.exec(text)?.[1] ?? 'last', stage);
        workdir = '/';
        break;
      }
      case 'WORKDIR':
        workdir = text;
        mkdirSync(inStage('.'), { recursive: true });
        break;
      case 'ENV':
        for (const [, key = '', value = ''] of text.matchAll(/(\w+)=(\S+)/g)) environment[key] = value;
        break;
      case 'COPY': {
        const [first = '', ...rest] = text.split(/\s+/);
        const from = /^--from=(\w+)$/.exec(first)?.[1];
        const paths = from === undefined ? [first, ...rest] : rest;
        const root = from === undefined ? context : (stages.get(from) ?? from);
        const target = paths.pop() ?? '';
        const isFolder = target.endsWith('/') || paths.length > 1;
        for (const path of paths) copyInto(join(root, path), inStage(target), isFolder);
        break;
      }
      case 'RUN':
        runIn(inStage('.'), stage, text);
        break;
      case 'CMD':
        command = JSON.parse(text) as string[];
        break;
      case 'USER':
      case 'VOLUME':
      case 'EXPOSE':
      case 'STOPSIGNAL':
      case 'HEALTHCHECK':
      case 'ENTRYPOINT':
        break;
      default:
        throw new Error(`not known how to perform ${name} ${text}`);
    }
  }
  return { path: inStage('.'), environment, command };
}

function readInstructions(): Instruction[] {
  return readProjectFile('Dockerfile')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
      return { name, text: text.trim() };
    });
}

/** Copies what the build gets: .dockerignore excludes everything except the paths that it lists, without folders of these. */
function copyContext(context: string): void {
  const [all, ...again] = readProjectFile('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (all !== '*' || again.some((line) => !/^!?[\w./-]+$/.test(line))) {
    throw new Error('.dockerignore is expected to leave out *, and to let single paths through');
  }
  for (const line of again) {
    if (!line.startsWith('!')) rmSync(join(context, line), { recursive: true });
    else copyInto(join(PROJECT_ROOT, line.slice(1)), join(context, line.slice(1)), false);
  }
}

/** Copies as COPY does: the contents of a folder, or a file, into a folder if the target is one. */
function copyInto(source: string, target: string, isFolder: boolean): void {
  if (!existsSync(source)) throw new Error(`there is no ${source} to copy`);
  if (statSync(source).isDirectory()) {
    mkdirSync(target, { recursive: true });
    copyTree(`${source}/.`, target);
    return;
  }
  const file = isFolder ? join(target, basename(source)) : target;
  mkdirSync(dirname(file), { recursive: true });
  copyTree(source, file);
}

/** Copies are hard links if possible, because the build does not write into what it copied. */
function copyTree(source: string, target: string): void {
  if (spawnSync('cp', ['-al', source, target], { stdio: 'ignore' }).status === 0) return;
  execFileSync('cp', ['-a', source, target]);
}

function runIn(folder: string, stage: string, text: string): void {
  for (const part of text.split(' && ')) {
    const owned = /^install -d -o 1000 -g 1000 -m 0700 (\/\S+)$/.exec(part);
    if (owned?.[1] !== undefined) {
      mkdirSync(join(stage, owned[1]), { recursive: true });
    } else if (part.startsWith('npm ci ')) {
      installPackages(folder);
    } else if (part === 'npm rebuild better-sqlite3') {
      // The installed packages have been compiled.
    } else {
      const offline = part.startsWith('npm ') ? `${part} --offline` : part;
      const { status, stdout, stderr } = spawnSync('sh', ['-c', offline], { cwd: folder, encoding: 'utf8' });
      if (status !== 0) throw new Error(`${part} failed: ${stdout}\n${stderr}`);
    }
  }
}

/** The packages of this checkout, and the links that npm makes to the packages of the workspace. */
function installPackages(folder: string): void {
  const modules = join(folder, 'node_modules');
  copyTree(join(PROJECT_ROOT, 'node_modules'), modules);
  // npm writes this file anew, and would write through the link.
  rmSync(join(modules, '.package-lock.json'), { force: true });
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { link?: boolean; resolved?: string }>;
  };
  for (const [path, { link, resolved = '' }] of Object.entries(lock.packages)) {
    if (link !== true) continue;
    if (!existsSync(join(folder, resolved, 'package.json')))
      throw new Error(`npm ci needs ${resolved}/package.json`);
    rmSync(join(folder, path), { force: true, recursive: true });
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(posix.relative(posix.dirname(path), resolved), join(folder, path));
  }
}
