import { z } from 'zod';
import { RECORD_NAMES, type RecordCollection, recordIdSchema, recordMetadata } from '../contracts/common';
import type { RecordFields, RecordOf } from '../contracts/collections';
import { validationError } from '../../../src/base/errors';
import type { RecordsService } from '../domain/create-records-service';
import type { Records } from '../domain/record-collection';
import { type AnyRoute, routesWith } from '../../../api/http/route';
import { readOnlyFields, unchanged } from '../../../api/http/read-only';
import { ignoredField } from '../../../api/http/schema-keys';
import { createListQuery } from './list-query';
import { entityTagOf } from '../domain/to-new-record';

/** Fields that the service sets. */
const READ_ONLY = ['version', 'createdAt', 'updatedAt'] as const;
const KEPT = readOnlyFields(recordMetadata, READ_ONLY);
/** A record that was exported may be created again, and then it has others. */
const DROPPED = {
  version: ignoredField(z.number().optional().describe('Ignored')),
  createdAt: ignoredField(z.string().optional().describe('Ignored')),
  updatedAt: ignoredField(z.string().optional().describe('Ignored')),
};

/** The schema of a collection's fields, with or without refinements. */
interface FieldsSchema {
  safeExtend(shape: z.ZodRawShape): z.ZodType;
  /** The JSON Schema of its refinements, which an extended schema does not inherit. */
  meta(): z.GlobalMeta | undefined;
}

/** What the routes of records need of the caller's tenant. */
export interface RecordServices {
  readonly records: RecordsService;
}

const { defineRoute } = routesWith<RecordServices>();

export interface CollectionRoutesOptions<C extends RecordCollection> {
  readonly collection: C;
  readonly fields: FieldsSchema;
  readonly response: z.ZodType<RecordOf<C>>;
  /** Example fields for `POST` and `PUT`. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Id of an example record for the other operations. */
  readonly exampleId: string;
  /** The setting RECORDS_MAX_RESULTS. */
  readonly maxResults: number;
}

type Sent<C extends RecordCollection> = RecordFields[C] & {
  id?: string;
  collection?: C;
  version?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
};

/** Builds the routes of the five operations on a collection. */
export function collectionRoutes<C extends RecordCollection>(
  options: CollectionRoutesOptions<C>,
): AnyRoute<RecordServices>[] {
  const { collection, fields, response, example, exampleId, maxResults } = options;
  const name = RECORD_NAMES[collection];
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const tag = `${collection.charAt(0).toUpperCase()}${collection.slice(1)}`;
  const path = `/api/${collection}`;
  const byId = z.object({ id: recordIdSchema });
  const body = (id: string, readOnly: z.ZodRawShape): z.ZodType<Sent<C>> =>
    fields
      .safeExtend({
        id: recordIdSchema.optional().describe(id),
        collection: z
          .literal(collection)
          .optional()
          .describe('The name of the collection, as in a line of an export'),
        ...readOnly,
      })
      .meta(fields.meta() ?? {}) as z.ZodType<Sent<C>>;
  const listQuery = createListQuery(collection, maxResults);
  const params = { id: exampleId };
  const etag = entityTagOf;
  const of = ({ records }: RecordServices): Records<C> => records[collection] as unknown as Records<C>;

  return [
    defineRoute({
      method: 'get',
      path,
      operationId: `list${tag}`,
      access: 'records',
      tag,
      summary: `${tag}, page by page`,
      description:
        'A record is listed if it matches all filters. Pages stay consistent while records are added and removed; `total` counts the records of all pages.',
      message: ({ total }) => `Found ${total} ${total === 1 ? name : collection}`,
      request: { query: listQuery.schema },
      response: z.object({
        [collection]: z.array(response),
        total: z.number().int(),
        next: z.string().optional().describe('Cursor of the next page; absent on the last page'),
      }) as unknown as z.ZodType<{ total: number }, { total: number }>,
      handler: async ({ query }, { services }) => {
        const { records: listed, ...rest } = await of(services).list(listQuery.read(query));
        return { [collection]: listed, ...rest };
      },
    }),
    defineRoute({
      method: 'get',
      path: `${path}/:id`,
      operationId: `get${title}`,
      access: 'records',
      tag,
      summary: `One ${name}`,
      message: `${title} retrieved successfully`,
      request: { params: byId },
      response,
      example: { params },
      etag,
      handler: ({ params: { id } }, { services }) => of(services).get(id),
    }),
    defineRoute({
      method: 'post',
      path,
      operationId: `create${title}`,
      access: 'records',
      tag,
      summary: `Create a ${name}`,
      description: 'The caller may give an id; otherwise the service creates one.',
      status: 201,
      message: `${title} created successfully`,
      request: { body: body('Absent: the service creates one', DROPPED) },
      response,
      example: { body: example },
      etag,
      location: ({ id }) => `${path}/${id}`,
      handler: ({ body: sent }, { services }) => of(services).create(fieldsOf<C>(sent), sent.id),
    }),
    defineRoute({
      method: 'put',
      path: `${path}/:id`,
      operationId: `replace${title}`,
      access: 'records',
      tag,
      summary: `Replace all fields of a ${name}`,
      description: "An absent field is removed. `If-Match` prevents the loss of other callers' changes.",
      message: `${title} updated successfully`,
      request: { params: byId, body: body('Must equal the id of the path', KEPT) },
      response,
      example: { params, body: example },
      etag,
      conditional: true,
      handler: ({ params: { id }, body: sent }, { ifMatch, services }) => {
        if (sent.id !== undefined && sent.id !== id)
          throw validationError(
            'id',
            `id is "${sent.id}", and the record of the path "${id}": an id does not change`,
          );
        return of(services).replace(id, fieldsOf<C>(sent), {
          ifMatch,
          check: unchanged({ ...sent }, READ_ONLY),
        });
      },
    }),
    defineRoute({
      method: 'delete',
      path: `${path}/:id`,
      operationId: `delete${title}`,
      access: 'records',
      tag,
      summary: `Delete a ${name}`,
      description:
        'Rejected while other records refer to it, unless `cascade=true` deletes those too; contaminants lose only the detections.',
      message: `${title} deleted successfully`,
      request: {
        params: byId,
        query: z.strictObject({
          cascade: z
            .enum(['true', 'false'])
            .default('false')
            .describe('Whether to delete the records that refer to it, too'),
        }),
      },
      response: z.object({
        deleted: z.literal(true),
        counts: z
          .record(z.string(), z.number().int())
          .describe(
            'Numbers of deleted records by collection, and of detections that were removed from contaminants',
          ),
      }),
      example: { params },
      conditional: true,
      handler: async ({ params: { id }, query }, { ifMatch, services }) => {
        const counts = await of(services).delete(id, { ifMatch, cascade: query.cascade === 'true' });
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
