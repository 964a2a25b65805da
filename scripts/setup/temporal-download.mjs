import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SetupError } from './errors.mjs';
import { withProgress } from './progress.mjs';
import { run } from './run.mjs';
import { cachedCli, CLI_VERSION } from './temporal-find.mjs';

const OFFICIAL_BASE = 'https://github.com/temporalio/cli/releases/download';
/** The time limit is short, so that a machine without internet access soon builds the server instead. */
const ANSWER_MS = 10_000;
const STALL_MS = 30_000;

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

/**
 * Downloads the official release archive into `folder`, checks its SHA-256 and unpacks the binary there.
 * HOLDFAST_TEMPORAL_DOWNLOAD_BASE names a mirror with the same paths as the release page.
 *
 * @returns {Promise<string>} the path of the unpacked binary
 * @throws {SetupError} with the reason in one line if it cannot be downloaded
 */
export async function downloadTemporalCli(folder, env) {
  const architecture = ARCHITECTURES[process.arch];
  if (!architecture) throw new SetupError(`there is no release for ${process.arch} processors`);
  const base = `${env.HOLDFAST_TEMPORAL_DOWNLOAD_BASE || OFFICIAL_BASE}/v${CLI_VERSION}`;
  const name = `temporal_cli_${CLI_VERSION}_${process.platform}_${architecture}.tar.gz`;
  const expected = findChecksum(name, await fetchText(`${base}/checksums.txt`));
  const archive = join(folder, name);
  await fetchFile(`${base}/${name}`, archive, dirname(cachedCli(env)));
  const actual = createHash('sha256')
    .update(await readFile(archive))
    .digest('hex');
  if (actual !== expected) {
    throw new SetupError(`refused ${base}/${name}: its SHA-256 is ${actual}, and ${expected} was announced`);
  }
  const unpacked = await run('tar', ['-xzf', archive, '-C', folder, 'temporal']);
  if (unpacked.code !== 0) throw new SetupError(`could not unpack ${name}: ${unpacked.tail}`);
  return join(folder, 'temporal');
}

/** Finds the checksum of a file. Lines are "<sha256>  <file name>", with an asterisk before the name in binary mode. */
function findChecksum(name, text) {
  for (const line of text.split('\n')) {
    const [sum, file] = line.trim().split(/\s+\*?/);
    if (file === name && /^[0-9a-f]{64}$/i.test(sum)) return sum.toLowerCase();
  }
  throw new SetupError(`checksums.txt does not name ${name}`);
}

async function fetchText(url) {
  const request = await open(url);
  try {
    return await request.response.text();
  } catch (error) {
    throw failure(url, error);
  } finally {
    request.close();
  }
}

async function fetchFile(url, path, target) {
  const request = await open(url);
  const total = Number(request.response.headers.get('content-length'));
  let received = 0;
  const count = async function* (chunks) {
    for await (const chunk of chunks) {
      received += chunk.length;
      request.alive();
      yield chunk;
    }
  };
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  try {
    await withProgress(
      `downloading Temporal's development server ${CLI_VERSION}`,
      () => pipeline(Readable.fromWeb(request.response.body), count, createWriteStream(path)),
      {
        // The server says the size before the first byte of the archive.
        cost: { ...(total > 0 ? { fetches: total / 1e6 } : {}), folder: target },
        detail: () => `${megabytes(received)}${total > 0 ? ` of ${megabytes(total)}` : ''}`,
      },
    );
  } catch (error) {
    throw failure(url, error);
  } finally {
    request.close();
  }
}

/** Sends a request, and aborts it when it is not answered in time or when no more of its body arrives. */
async function open(url) {
  const abort = new AbortController();
  const giveUp = (ms, what) => setTimeout(() => abort.abort(new Error(`${what} for ${ms / 1000} s`)), ms);
  let timer = giveUp(ANSWER_MS, 'no answer');
  const close = () => clearTimeout(timer);
  const alive = () => {
    close();
    timer = giveUp(STALL_MS, 'no more data');
  };
  try {
    const response = await fetch(url, { signal: abort.signal });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    alive();
    return { response, alive, close };
  } catch (error) {
    close();
    throw failure(url, error);
  }
}

function failure(url, error) {
  return new SetupError(`${url}: ${error.cause?.message || error.message}`, { cause: error });
}
