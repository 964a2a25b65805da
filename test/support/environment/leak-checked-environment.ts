import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';
import { processesMentioning } from '../processes';
import { setTemporaryFolder } from '../temp-dir';
import { disableUsedStorages, watchStorages } from './async-storages';
import { keepCompiledCode, shareCompiledCode } from './code-cache';
import { takeProblemsOf } from './process-problems';
import { activeResources, leftResources, openStreams, type Resources } from './resources';

/** How long something that a test has closed may take to disappear, milliseconds. It is waited for only if something is left. */
const LIMIT_MS = 20_000;
const POLL_MS = 50;
/** The folder in which npm, the compiler and the linter keep compiled code from Node.js 22 on. */
const COMPILE_CACHE = 'node-compile-cache';

/**
 * What tests that follow each other may share if their project has `testEnvironmentOptions: { shareProcesses: true }`:
 * processes with their pipes, servers and connections. The suite has to close them.
 */
const SHARED = new Set(['ProcessWrap', 'PipeWrap', 'TCPServerWrap', 'TCPSocketWrap']);

/** Jest runs a single suite in its own process, which also has the servers that all suites share. */
const isJestItself = process.send === undefined;

/**
 * Jest's environment of Node.js that fails a test after which a timer, a server or a worker thread is left, and a suite
 * after which one of these is left, or a process, a connection or a file. Jest itself fails a test that leaves a rejected promise
 * which no code takes; the environment fails a suite for one at its end, and for one in a process that it started
 * (`process-problems.ts`). The temporary files of a suite, and those of
 * the processes that it starts, lie in a folder of the suite, whose name in the environment of a process also shows
 * whose process it is.
 *
 * Runs that have not ended are looked for when stages are closed, and after all suites by the global tear-down.
 */
export default class LeakCheckedEnvironment extends TestEnvironment {
  readonly #folder = mkdtempSync(join(realpathSync(tmpdir()), 'hf-'));
  readonly #usualFolder = process.env['TMPDIR'];
  readonly #allowedBetweenTests: ReadonlySet<string>;
  #beforeSuite: Resources = new Map();
  #beforeTest: Resources = new Map();
  /** What promises were rejected with after the last test and hook, with no code to take it. */
  readonly #rejections: unknown[] = [];
  readonly #noteRejection = (reason: unknown): void => void this.#rejections.push(reason);

  constructor(...args: ConstructorParameters<typeof TestEnvironment>) {
    super(...args);
    shareCompiledCode();
    watchStorages();
    const { shareProcesses } = args[0].projectConfig.testEnvironmentOptions;
    this.#allowedBetweenTests = shareProcesses === true ? SHARED : new Set();
  }

  override async setup(): Promise<void> {
    await super.setup();
    // PostgreSQL's server does not run as root and has to pass through the folder.
    chmodSync(this.#folder, 0o711);
    // Node's own modules read the environment of the process, and a suite has a copy of it.
    setTemporaryFolder(this.#folder);
    this.global.process.env['TMPDIR'] = this.#folder;
    openStreams();
    this.#beforeSuite = activeResources();
  }

  async handleTestEvent(event: Circus.AsyncEvent | Circus.SyncEvent, state: Circus.State): Promise<void> {
    if (event.name === 'test_start') this.#beforeTest = activeResources();
    if (event.name === 'test_done' && event.test.errors.length === 0)
      event.test.errors.push(
        ...problem('the test', await leftResources(this.#beforeTest, LIMIT_MS, this.#allowedBetweenTests)),
      );
    // From here on jest reports no rejection that a test or hook has caused.
    if (event.name === 'run_describe_finish' && event.describeBlock.parent === undefined)
      process.on('unhandledRejection', this.#noteRejection);
    if (event.name === 'run_finish')
      state.unhandledErrors.push(
        ...problem('the suite', await this.#left()),
        ...this.#rejections,
        ...takeProblemsOf(this.global).map(plainError),
      );
  }

  override async teardown(): Promise<void> {
    process.off('unhandledRejection', this.#noteRejection);
    keepCompiledCode();
    disableUsedStorages();
    setTemporaryFolder(this.#usualFolder);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
    await super.teardown();
  }

  /** A process that a test has killed takes a moment to end, so those that are there are looked at again for a while. */
  async #leftProcesses(): Promise<ReturnType<typeof processesMentioning>> {
    const deadline = performance.now() + LIMIT_MS;
    for (;;) {
      const processes = processesMentioning(this.#folder);
      if (processes.length === 0 || performance.now() > deadline) return processes;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async #left(): Promise<string[]> {
    const processes = await this.#leftProcesses();
    for (const { pid } of processes) process.kill(pid, 'SIGKILL');
    return [
      ...(await leftResources(this.#beforeSuite, LIMIT_MS, isJestItself ? SHARED : undefined)),
      ...processes.map(({ pid, command }) => `process ${pid}: ${command}`),
      ...readdirSync(this.#folder)
        .filter((name) => name !== COMPILE_CACHE)
        .map((name) => `file ${join(this.#folder, name)}`),
    ];
  }
}

function problem(whose: string, left: readonly string[]): Error[] {
  if (left.length === 0) return [];
  return [plainError(`${whose} ended and this is left: ${left.join(', ')}`)];
}

/** An error without a stack, which would be that of this environment and not help to find the cause in the test. */
function plainError(message: string): Error {
  const error = new Error(message);
  error.stack = error.message;
  return error;
}
