import { validationError } from '../base/errors';
import { type Attachment, MAX_ATTACHED_BYTES, type TurnFile } from '../contracts/http/files';
import { readContent } from './read-content';

/** The files of a request, of which those that the service keeps are still to be read. */
export type GivenFile = TurnFile | { readonly fileId: string };

const FIELD = 'options.attachments';

/** Reads the files that a request has in it. @throws HoldfastError `VALIDATION`, which names the entry */
export async function readAttached(attachments: readonly Attachment[]): Promise<GivenFile[]> {
  const given: GivenFile[] = [];
  for (const [index, attachment] of attachments.entries()) {
    if ('fileId' in attachment) {
      given.push(attachment);
      continue;
    }
    const field = `${FIELD}[${index}]`;
    const bytes = Buffer.from(attachment.data, 'base64');
    // Node.js reads around what is not base64, so only the same text again shows that all of it was.
    if (bytes.toString('base64') !== attachment.data)
      throw validationError(`${field}.data`, `${field}.data must be base64`);
    const content = await readContent(attachment.type, bytes);
    if ('problem' in content) throw validationError(field, `${field} ${content.problem}`);
    given.push({ name: attachment.name, size: bytes.length, ...content });
  }
  return given;
}

/**
 * Reads those that the service keeps, so that the run does not depend on how long they are kept.
 * @param read reads a file of the user of the request. @throws HoldfastError `FILE_NOT_FOUND`
 * @throws HoldfastError `VALIDATION` if all together are too large; what `read` throws
 */
export async function resolveFiles(
  given: readonly GivenFile[],
  read: (fileId: string) => Promise<TurnFile>,
): Promise<TurnFile[]> {
  const files: TurnFile[] = [];
  let bytes = 0;
  for (const file of given) {
    const resolved = 'fileId' in file ? await read(file.fileId) : file;
    bytes += resolved.size;
    if (bytes > MAX_ATTACHED_BYTES)
      throw validationError(FIELD, `${FIELD} may have at most ${MAX_ATTACHED_BYTES} bytes together`);
    files.push(resolved);
  }
  return files;
}
