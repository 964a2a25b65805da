import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { HoldfastError, messageOf } from '../base/errors';
import { parseJson } from '../base/json/parse';

/** The file that makes a folder a backup. It is written last, so an interrupted backup does not have it. */
export const MANIFEST = 'backup.json';

const manifestSchema = z.object({
  format: z.literal(1),
  startedAt: z.string(),
  finishedAt: z.string(),
  files: z.array(
    z.object({
      /** The path below the folder, with slashes. */
      path: z.string().regex(/^(?!\/)(?!.*(^|\/)\.\.(\/|$))/, 'it leads out of the backup'),
      bytes: z.number().int().nonnegative(),
      sha256: z.string(),
    }),
  ),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type BackedUpFile = Manifest['files'][number];

/** Reads the manifest. @throws HoldfastError `CONFIGURATION` if the folder is not a complete backup of this format */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST);
  try {
    return manifestSchema.parse(parseJson(await readFile(path, 'utf8')));
  } catch (error) {
    const reason = error instanceof z.ZodError ? (error.issues[0]?.message ?? 'unusable') : messageOf(error);
    throw new HoldfastError('CONFIGURATION', `${folder} is not a complete backup: ${MANIFEST}: ${reason}`);
  }
}

/** Computes the size and the SHA-256 of a file. */
export async function describeFile(folder: string, path: string): Promise<BackedUpFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(createReadStream(join(folder, path)), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      hash.update(chunk);
    }
  });
  return { path, bytes, sha256: hash.digest('hex') };
}
