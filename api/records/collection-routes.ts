import { z } from 'zod';
import type { RecordCollection } from '../../src/contracts/http/records/common';
import { RECORD_NAMES, recordIdSchema } from '../../src/contracts/http/records/common';
import type { RecordFields, RecordOf } from '../../src/contracts/http/records/collections';
import { validationError } from '../../src/base/errors';
import { entityTagOf } from '../../src/records/entity-tag';
import type { Records } from '../../src/records/record-collection';
import type { AnyRoute } from '../http/route';
import { defineRoute } from '../http/route';
import { knownNames } from './known-names';
import { listQueryOf } from './list-query';

/** What a body may carry of what the service itself sets: a record as it was read may be sent back. */
const READ_ONLY = {
  version: z.number().optional().describe('Passed over'),
  createdAt: z.string().optional().describe('Passed over'),
  updatedAt: z.string().optional().describe('Passed over'),
};

/** The fields of a collection as `z.strictObject` has them, refined or not. */
interface FieldsSchema {
  safeExtend(shape: z.ZodRawShape): z.ZodType;
  /** What its JSON Schema says of refinements; an extended schema does not inherit it. */
  meta(): z.GlobalMeta | undefined;
}

export interface CollectionRoutesOptions<C extends RecordCollection> {
  readonly collection: C;
  readonly records: Records<C>;
  readonly fields: FieldsSchema;
  readonly response: z.ZodType<RecordOf<C>>;
  /** Fields to try `POST` and `PUT` with. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Of a record to try the others with. */
  readonly exampleId: string;
  /** The setting RECORDS_MAX_RESULTS. */
  readonly mostResults: number;
}

type Sent<C extends RecordCollection> = RecordFields[C] & {
  id?: string;
  collection?: C;
  version?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
};

/** The five operations on a collection. */
export function collectionRoutes<C extends RecordCollection>(
  options: CollectionRoutesOptions<C>,
): AnyRoute[] {
  const { collection, records, fields, response, example, exampleId, mostResults } = options;
  const name = RECORD_NAMES[collection];
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const tag = `${collection.charAt(0).toUpperCase()}${collection.slice(1)}`;
  const path = `/api/${collection}`;
  const byId = z.object({ id: recordIdSchema });
  const body = (id: string): z.ZodType<Sent<C>> =>
    fields
      .safeExtend({
        id: recordIdSchema.optional().describe(id),
        collection: z.literal(collection).optional().describe('As in a line of an export or import'),
        ...READ_ONLY,
      })
      .meta(fields.meta() ?? {}) as z.ZodType<Sent<C>>;
  const listQuery = listQueryOf(collection, mostResults);
  const params = { id: exampleId };
  const etag = entityTagOf;

  return [
    defineRoute({
      method: 'get',
      path,
      tag,
      summary: `${tag}, page by page`,
      description:
        'Filters narrow it down together. Pages stay right while records come and go; `total` counts those of all pages.',
      message: ({ total }) => `Found ${total} ${total === 1 ? name : collection}`,
      request: { query: listQuery.schema },
      response: z.object({
        [collection]: z.array(response),
        total: z.number().int(),
        next: z.string().optional().describe('Cursor of the next page; left out on the last one'),
      }) as unknown as z.ZodType<{ total: number }, { total: number }>,
      handler: async ({ query }) => {
        const { records: found, ...rest } = await records.list(listQuery.read(query));
        return { [collection]: found, ...rest };
      },
    }),
    defineRoute({
      method: 'get',
      path: `${path}/:id`,
      tag,
      summary: `One ${name}`,
      message: `${title} retrieved successfully`,
      request: { params: byId },
      response,
      example: { params },
      etag,
      handler: ({ params: { id } }) => records.get(id),
    }),
    defineRoute({
      method: 'post',
      path,
      tag,
      summary: `Create a ${name}`,
      description: 'Its id may be given, and is made where it is not.',
      status: 201,
      message: `${title} created successfully`,
      request: { body: body('Absent: one is made') },
      response,
      example: { body: example },
      etag,
      location: ({ id }) => `${path}/${id}`,
      handler: ({ body: sent }) => records.create(fieldsOf<C>(sent), sent.id),
    }),
    defineRoute({
      method: 'put',
      path: `${path}/:id`,
      tag,
      summary: `Put other fields in place of all that a ${name} has`,
      description: 'A field that is left out is gone. `If-Match` keeps changes of others from being lost.',
      message: `${title} updated successfully`,
      request: { params: byId, body: body('Has to be the one of the path') },
      response,
      example: { params, body: example },
      etag,
      conditional: true,
      handler: ({ params: { id }, body: sent }, { ifMatch }) => {
        if (sent.id !== undefined && sent.id !== id)
          throw validationError(
            'id',
            `id is "${sent.id}", and the record of the path "${id}": an id does not change`,
          );
        return records.replace(id, fieldsOf<C>(sent), { ifMatch });
      },
    }),
    defineRoute({
      method: 'delete',
      path: `${path}/:id`,
      tag,
      summary: `Delete a ${name}`,
      description:
        'Refused while something refers to it, unless `cascade=true` deletes that too; contaminants then only lose the detections.',
      message: `${title} deleted successfully`,
      request: {
        params: byId,
        query: knownNames(
          { cascade: z.enum(['true', 'false']).default('false').describe('Delete what refers to it, too') },
          'parameter',
        ),
      },
      response: z.object({
        deleted: z.literal(true),
        counts: z
          .record(z.string(), z.number().int())
          .describe('Records deleted, by collection, and detections taken out of contaminants'),
      }),
      example: { params },
      conditional: true,
      handler: async ({ params: { id }, query }, { ifMatch }) => {
        const counts = await records.delete(id, { ifMatch, cascade: query.cascade === 'true' });
        return { deleted: true as const, counts: { ...counts } };
      },
    }),
  ];
}

function fieldsOf<C extends RecordCollection>(sent: Sent<C>): RecordFields[C] {
  const {
    id: _id,
    collection: _collection,
    version: _version,
    createdAt: _createdAt,
    updatedAt: _updatedAt,
    ...fields
  } = sent;
  return fields as unknown as RecordFields[C];
}
