import { z } from 'zod';
import { HoldfastError, validationError } from '../../src/base/errors';
import { fileNameSchema, MAX_FILE_BYTES, storedFileSchema } from '../../src/contracts/http/files';
import { nameSchema, newNameSchema } from '../../src/contracts/http/text-schema';
import { IMAGE_TYPES } from '../../src/files/read-content';
import { LOADED_FACTOR, type UserFiles } from '../../src/files/user-files';
import { bodyLimitsFor, collectBody } from '../http/body-pace';
import { documentedAs } from '../http/examples';
import { ANY_TYPE, type AnyRoute, routesWith } from '../http/route';

const TAG = 'Files';
const PATH = '/api/files/:id';
const byId = {
  params: z.object({ id: z.string().min(1).max(200) }),
  query: z.strictObject({ userId: nameSchema }),
};

/** What the routes of files need of the caller's tenant. */
export interface FileServices {
  readonly runs: { readonly files: UserFiles };
}

const { defineRoute } = routesWith<FileServices>();

/** The routes of files that users send before they ask about them. */
export function fileRoutes(): AnyRoute<FileServices>[] {
  return [
    defineRoute({
      method: 'post',
      path: '/api/files',
      ...documentedAs('uploadFile'),
      access: 'run',
      tag: TAG,
      summary: 'Keep a file of a user for 24 hours, for `options.attachments` of the agent',
      description:
        'The body is the file, of at most 8 MiB, and `Content-Type` says what it is: `text/*` in any charset, `application/json`, ' +
        'types with `+json`, PNG, JPEG, GIF or WebP.',
      status: 201,
      message: ({ name }) => `File "${name}" stored`,
      streamedBody: ANY_TYPE,
      bodyTypes: ['text/csv', 'text/*', 'application/json', ...IMAGE_TYPES],
      request: { query: z.strictObject({ userId: newNameSchema, name: fileNameSchema }) },
      response: storedFileSchema,
      location: ({ id }) => `/api/files/${id}`,
      async handler({ query: { userId, name } }, { bodyStream, admit, services }) {
        if (bodyStream === undefined) throw validationError('body', 'body is required');
        const limits = { maxBytes: MAX_FILE_BYTES, jsonMs: bodyLimitsFor(MAX_FILE_BYTES).jsonMs };
        const bytes = await collectBody(withRoom(bodyStream, admit), limits, tooLarge);
        // The room for the bytes themselves was taken.
        await admit(bytes.length * (LOADED_FACTOR - 1));
        return services.runs.files.add(userId, { name, type: bodyStream.type, bytes });
      },
    }),
    defineRoute({
      method: 'get',
      path: PATH,
      ...documentedAs('getFile'),
      access: 'run',
      tag: TAG,
      summary: 'Name, type and size of a file of a user',
      message: 'File retrieved successfully',
      request: byId,
      response: storedFileSchema,
      handler: ({ params: { id }, query: { userId } }, { services }) => services.runs.files.head(userId, id),
    }),
    defineRoute({
      method: 'delete',
      path: PATH,
      ...documentedAs('deleteFile'),
      access: 'run',
      tag: TAG,
      summary: 'Delete a file of a user',
      message: ({ id }) => `File "${id}" deleted`,
      request: byId,
      response: z.object({ id: z.string() }),
      async handler({ params: { id }, query: { userId } }, { services }) {
        await services.runs.files.remove(userId, id);
        return { id };
      },
    }),
  ];
}

/** Takes room for a body as it arrives, so that a connection takes none for what it does not send. */
async function* withRoom(
  body: AsyncIterable<Uint8Array>,
  admit: (bytes: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let arrived = 0;
  let room = 0;
  for await (const chunk of body) {
    arrived += chunk.length;
    if (arrived > room) {
      await admit(arrived);
      room += arrived;
    }
    yield chunk;
  }
}

function tooLarge(): HoldfastError {
  return new HoldfastError('BODY_TOO_LARGE', `The file is larger than ${MAX_FILE_BYTES} bytes`);
}
