import { isHoldfastError, validationError } from '../../src/base/errors';
import { type Attachment, MAX_ATTACHED_BYTES } from '../../src/contracts/http/files';
import type { Egress } from '../../src/egress/egress';
import type { Starting } from '../../requests/starting';

/** A file that stands at an address. */
export interface LinkedFile {
  readonly url: string;
  readonly name: string;
  /** The parameter that has the address. */
  readonly field: string;
}

/** What fetches the files of callers. */
export interface FetchPorts {
  readonly egress: Pick<Egress, 'request'>;
  /** Whether callers may name private addresses. */
  readonly allowPrivate: boolean;
}

/** What stands for a file until it is fetched, so that the rest of its request can be checked. Pure. */
export function withoutLink(file: Attachment | LinkedFile): Attachment {
  return 'url' in file ? { name: file.name, type: 'text/plain', data: 'IA==' } : file;
}

/** All files of a message together have to arrive within this time, milliseconds. */
const FETCH_LIMIT_MS = 30_000;

/**
 * Fetches the files of a message that stand at addresses, one after another, before its run is started: the run does not depend on
 * how long they stand there.
 * @throws HoldfastError `VALIDATION`, which names the parameter, for one that cannot be had
 */
export async function fetchFiles(
  files: readonly (Attachment | LinkedFile)[],
  ports: FetchPorts,
  context: Pick<Starting, 'owner' | 'admit' | 'signal'>,
): Promise<Attachment[]> {
  const signal = AbortSignal.any([context.signal(), AbortSignal.timeout(FETCH_LIMIT_MS)]);
  const fetched: Attachment[] = [];
  let bytes = 0;
  for (const file of files) {
    if (!('url' in file)) {
      fetched.push(file);
      continue;
    }
    const { size, ...content } = await fetchFile(file, ports, { ...context, signal: () => signal });
    bytes += size;
    if (bytes > MAX_ATTACHED_BYTES)
      throw validationError(file.field, `makes the files more than ${MAX_ATTACHED_BYTES} bytes together`);
    fetched.push(content);
  }
  return fetched;
}

async function fetchFile(
  { url, name, field }: LinkedFile,
  { egress, allowPrivate }: FetchPorts,
  { owner, admit, signal }: Pick<Starting, 'owner' | 'admit' | 'signal'>,
) {
  const { status, headers, bytes } = await egress
    .request({ owner, url, method: 'GET', allowPrivate, admit, signal: signal() })
    .catch((error: unknown) => {
      if (!isHoldfastError(error) || error.code === 'SERVICE_BUSY') throw error;
      throw validationError(field, `cannot be fetched: ${error.message}`);
    });
  if (status !== 200) throw validationError(field, `cannot be fetched: its server answered ${status}`);
  const type = headers.get('content-type') ?? '';
  if (type === '' || bytes.length === 0) throw validationError(field, 'is empty, or has no Content-Type');
  return { name, type, data: bytes.toString('base64'), size: bytes.length };
}
