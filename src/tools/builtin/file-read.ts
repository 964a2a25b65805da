import type { FileHandle } from 'node:fs/promises';
import { toolError, type HoldfastError } from '../../base/errors';
import type { BuiltinTool } from '../tool';
import { FILE_ENCODINGS, fileReadDeclaration, type FileEncoding } from './declarations';
import { checkRelativePath, fileFailure, openInside } from './file-open';
import { readChoice, readString } from './read-arguments';

export interface FileReadOptions {
  /** The folder whose files may be read. */
  readonly fileRoot: string;
  /** Maximum size of a file that is returned, bytes. */
  readonly maxFileBytes: number;
}

/**
 * Reads a file inside the root; the value is `{ path, content, size, encoding }`, `size` in bytes of the file.
 * As utf8 the content is the text without a byte order mark, and a file that is not UTF-8 is an error.
 */
export function createFileRead({ fileRoot, maxFileBytes }: FileReadOptions): BuiltinTool {
  return {
    ...fileReadDeclaration,
    async run(args, { signal }) {
      const path = checkRelativePath(readString(args, 'path'));
      const encoding = readChoice(args, 'encoding', FILE_ENCODINGS, 'utf8');
      const { handle, stats } = await openInside(fileRoot, path);
      try {
        if (stats.size > maxFileBytes) throw tooLarge(path, stats.size, maxFileBytes);
        const bytes = await readAll(handle, path, maxFileBytes, signal);
        return { value: { path, content: decode(bytes, encoding, path), size: bytes.length, encoding } };
      } catch (error) {
        throw fileFailure(path, error);
      } finally {
        await handle.close();
      }
    },
  };
}

/** Reads to the end and not to the size seen before, which is out of date if the file is being written. */
async function readAll(
  handle: FileHandle,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    signal.throwIfAborted();
    const chunk = Buffer.allocUnsafe(Math.min(64 * 1_024, maxBytes - length + 1));
    const { bytesRead } = await handle.read(chunk);
    if (bytesRead === 0) return Buffer.concat(chunks, length);
    length += bytesRead;
    if (length > maxBytes) throw tooLarge(path, length, maxBytes);
    chunks.push(chunk.subarray(0, bytesRead));
  }
}

function decode(bytes: Buffer, encoding: FileEncoding, path: string): string {
  if (encoding === 'base64') return bytes.toString('base64');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw toolError(`${path} is not UTF-8 text; read it with encoding base64`, { cause });
  }
}

function tooLarge(path: string, size: number, maxBytes: number): HoldfastError {
  return toolError(`${path} is too large: at least ${size} bytes, and ${maxBytes} are allowed`);
}
