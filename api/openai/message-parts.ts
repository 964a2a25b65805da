import { z } from 'zod';
import { validationError } from '../../src/base/errors';
import type { Attachment } from '../../src/contracts/http/files';
import { unsupported } from './errors';
import type { LinkedFile } from './linked-files';

/**
 * A part of a message, in the forms of Chat Completions (`text`, `image_url`, `file`) and of Responses (`input_text`,
 * `output_text`, `input_image`, `input_file`).
 */
export const partSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  refusal: z.string().optional(),
  image_url: z.union([z.string(), z.looseObject({ url: z.string() })]).nullish(),
  file: z.looseObject({}).optional(),
});
export type Part = z.output<typeof partSchema>;

/** What a part is: words, or a file for the model. */
export type ReadPart = { readonly text: string } | { readonly file: Attachment | LinkedFile };

/**
 * Reads a part of a message.
 * @param field where it stands, as in `messages[0].content[1]`
 * @param number of the file among those of the message, by which a model reads a file without a name
 * @throws HoldfastError `VALIDATION`
 */
export function readPart(part: Part, field: string, number: number): ReadPart {
  switch (part.type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return { text: part.text ?? missing(`${field}.text`) };
    case 'refusal':
      return { text: part.refusal ?? missing(`${field}.refusal`) };
    case 'image_url':
    case 'input_image': {
      const { image_url: url } = part;
      const id = part['file_id'];
      if (typeof id === 'string') return { file: { fileId: id } };
      const address = typeof url === 'string' ? url : (url?.url ?? missing(`${field}.image_url`));
      return { file: readAddress(address, `image-${number}`, `${field}.image_url`) };
    }
    case 'file':
      return { file: readFile(part.file ?? missing(`${field}.file`), `${field}.file`, number) };
    case 'input_file':
      return { file: readFile(part, field, number) };
    case 'input_audio':
      throw unsupported(field, 'Audio is not taken');
    default:
      throw unsupported(`${field}.type`, `Parts of the type "${part.type}" are not taken`);
  }
}

function readFile(
  file: Readonly<Record<string, unknown>>,
  field: string,
  number: number,
): Attachment | LinkedFile {
  const { file_id: fileId, file_data: data, filename, file_url: address } = file;
  if (typeof fileId === 'string') return { fileId };
  const name = typeof filename === 'string' && filename.trim() !== '' ? filename : `file-${number}`;
  if (typeof address === 'string') return readAddress(address, name, `${field}.file_url`);
  if (typeof data !== 'string') return missing(`${field}.file_data`);
  return readAddress(data, name, `${field}.file_data`);
}

/** Reads an address, or a URL that has its content in it (RFC 2397), in base64. @throws HoldfastError `VALIDATION` */
function readAddress(url: string, name: string, field: string): Attachment | LinkedFile {
  if (/^https?:/i.test(url)) return { url, name, field };
  const comma = url.indexOf(',');
  const [, type] = /^data:([^,]+);base64$/i.exec(url.slice(0, Math.max(comma, 0))) ?? [];
  if (type === undefined)
    throw validationError(
      field,
      'must be an address, or a data URL with its media type, such as data:image/png;base64,…',
    );
  return { name, type, data: url.slice(comma + 1) };
}

function missing(field: string): never {
  throw validationError(field, `${field} is required`);
}
