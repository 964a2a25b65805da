import { z } from 'zod';
import { NOT_BLANK } from '../constants';

/** Maximum number of files that come with one message. */
export const MAX_ATTACHMENTS = 10;
/** Maximum size of one file, bytes. */
export const MAX_FILE_BYTES = 8 * 1_048_576;
/** Maximum size of all files of one message together, bytes, since a worker has them in memory at once. */
export const MAX_ATTACHED_BYTES = 2 * MAX_FILE_BYTES;
/** Maximum number of files that are kept for a user. */
export const MAX_FILES_OF_USER = 100;
/** Maximum number of files that are kept for all users of a tenant. */
export const MAX_FILES_OF_TENANT = 1_000;

const MAX_NAME = 200;
/** Maximum length of the `Content-Type` of a file, characters. */
export const MAX_TYPE = 200;

/** The name of a file, which a model reads. */
export const fileNameSchema = z
  .string()
  .max(MAX_NAME, `must have at most ${MAX_NAME} characters`)
  .regex(NOT_BLANK, 'must not be empty')
  .regex(/^\P{Cc}*$/u, 'must have no control characters')
  .describe('A model reads it too');

const attachedSchema = z.strictObject({
  name: fileNameSchema,
  type: z.string().min(1, 'must not be empty').max(MAX_TYPE).describe('Media type, perhaps with a charset'),
  data: z.string().min(1, 'must not be empty').describe('The content, in base64'),
});
const storedReferenceSchema = z.strictObject({
  fileId: z.string().min(1, 'must not be empty').max(MAX_NAME).describe('Of `POST /api/files`'),
});

/** The files that come with a message. What is in them is checked by `readContent`. */
export const attachmentsOption = z
  .array(z.union([attachedSchema, storedReferenceSchema]))
  .max(MAX_ATTACHMENTS, `must have at most ${MAX_ATTACHMENTS} entries`)
  .optional()
  .describe('Files for the model: texts, JSON, CSV and, if the model takes them, images');
export type Attachment = NonNullable<z.output<typeof attachmentsOption>>[number];

export const storedFileSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string().describe('Media type'),
  size: z.number().int().describe('Bytes'),
  expiresAt: z.string().describe('ISO 8601; it is removed then'),
});
export type StoredFile = Readonly<z.infer<typeof storedFileSchema>>;

/** What is said of a file without its content. */
export interface FileHead {
  readonly name: string;
  /** Media type without parameters. */
  readonly type: string;
  /** Bytes, as it was sent. */
  readonly size: number;
}

export interface TextFile extends FileHead {
  readonly text: string;
  /** The length of the whole text, characters; present if `text` is only its beginning. */
  readonly wholeLength?: number;
}

export interface ImageFile extends FileHead {
  /** In base64. */
  readonly data: string;
}

/** A file that a model reads with a message. */
export type TurnFile = TextFile | ImageFile;
