import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SetupError } from './errors.mjs';
import { readIdentity, isRunning } from './process-identity.mjs';
import { duration, say } from './progress.mjs';

const POLL_MS = 200;
const REMIND_MS = 15_000;
const GIVE_UP_MS = 45 * 60_000;

/**
 * Runs `action` while holding the lock file, which names the processes that do the work: this one and
 * those given to `lock.include(pid)`. The lock is held while any of them lives, so that another script waits for
 * a child (npm, go) that survives its killed parent. When all of them have ended, another script takes the lock over.
 *
 * @param {string} file path of the lock file
 * @param {string} purpose what the holder does, such as "installs packages"; a waiting process prints it
 * @param {(lock: { include(pid: number): void }) => Promise<T>} action
 * @param {{ giveUpMs?: number }} [options] how long to wait for another holder at most, ms
 * @template T
 * @returns {Promise<T>}
 */
export async function withLock(file, purpose, action, options = {}) {
  mkdirSync(dirname(file), { recursive: true });
  const lock = await acquire(file, purpose, options.giveUpMs ?? GIVE_UP_MS);
  const release = () => lock.release();
  process.on('exit', release);
  try {
    return await action(lock);
  } finally {
    process.off('exit', release);
    release();
  }
}

async function acquire(file, purpose, giveUpMs) {
  const startedAt = Date.now();
  let saidAt;
  for (;;) {
    const lock = tryCreate(file, purpose);
    if (lock) return lock;
    const found = read(file);
    if (found === undefined) continue;
    if (!holders(found).some(isRunning)) {
      removeStale(file, found);
      continue;
    }
    const waited = Date.now() - startedAt;
    const who = `process ${holders(found).find(isRunning)?.pid ?? '?'}`;
    if (waited > giveUpMs) {
      throw new SetupError(
        `Gave up after ${duration(waited)}: ${who} still holds ${file}. Stop it, then try again.`,
      );
    }
    if (saidAt === undefined || Date.now() - saidAt > REMIND_MS) {
      saidAt = Date.now();
      say(`waiting for ${who}, which ${parse(found).purpose ?? 'is at work'}`);
    }
    await delay(POLL_MS);
  }
}

/** The lock file is made as a hard link to a complete file, so that no process reads a half-written lock. */
function tryCreate(file, purpose) {
  const content = { purpose, holders: [readIdentity(process.pid)] };
  const draft = `${file}.${process.pid}.${Date.now()}`;
  writeFileSync(draft, JSON.stringify(content));
  try {
    linkSync(draft, file);
  } catch (error) {
    if (error.code === 'EEXIST') return undefined;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  let text = JSON.stringify(content);
  return {
    include(pid) {
      content.holders.push(readIdentity(pid));
      text = JSON.stringify(content);
      writeFileSync(draft, text);
      renameSync(draft, file);
    },
    release() {
      if (read(file) === text) rmSync(file, { force: true });
    },
  };
}

/**
 * Removes a stale lock, which two processes may have found at the same time. Each of them renames the file, which
 * only one can do. A late process that has renamed a new lock instead notices it by the content and puts it back.
 */
function removeStale(file, staleText) {
  const aside = `${file}.stale.${process.pid}.${Date.now()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  try {
    if (read(aside) !== staleText) linkSync(aside, file);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Reads a lock file; undefined if it is absent.
 *
 * @throws {SetupError} if it cannot be read, because whether its holders live cannot be known then
 */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw new SetupError(
      `The lock ${file} cannot be read (${error.code}). Remove it when no set-up runs, then try again.`,
      { cause: error },
    );
  }
}

function parse(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

function holders(text) {
  const list = parse(text).holders;
  return Array.isArray(list) ? list : [];
}
