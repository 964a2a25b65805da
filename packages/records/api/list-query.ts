import { z } from 'zod';
import type { RecordCollection } from '../contracts/common';
import { dateSchema, timeSchema } from '../../../src/contracts/http/time-schemas';
import type { CollectionSpec, FieldType } from '../domain/collection-spec';
import { COLLECTION_SPECS } from '../domain/collections';
import type { ListRecords } from '../domain/record-collection';
import { searchText } from '../stores/record';
import type { RecordCondition } from '../stores/record-store';
import { queryLimitSchema } from '../../../requests/request-options';

const MAX_VALUES = 50;
const MAX_WORDS = 10;
const DEFAULT_LIMIT = 50;
const DEFAULT_SORT = '-createdAt';

/** Converts the value of a filter to a condition. */
type ToCondition = (value: never) => RecordCondition;

interface Filter {
  readonly schema: z.ZodType;
  readonly toCondition: ToCondition;
}

type AnySpec = CollectionSpec<RecordCollection>;

/** The schema of a query string, and the conversion of its values. */
interface Query<T> {
  /** Rejects unknown filters, and lists the known ones. */
  readonly schema: z.ZodType<Record<string, unknown>>;
  read(query: Record<string, unknown>): T;
}

export type ListQuery = Query<ListRecords>;
export type FilterQuery = Query<readonly RecordCondition[]>;

/** Creates the query string of a collection's list. @param maxResults the setting RECORDS_MAX_RESULTS */
export function createListQuery(collection: RecordCollection, maxResults: number): ListQuery {
  const spec = COLLECTION_SPECS[collection] as unknown as AnySpec;
  const sorts = ['createdAt', 'updatedAt', ...spec.sorts].flatMap((name) => [name, `-${name}`]);
  const filters = createFilterQuery(collection, {
    sort: z
      .enum(sorts as [string, ...string[]])
      .default(DEFAULT_SORT)
      .describe('Descending with a leading minus'),
    limit: queryLimitSchema(maxResults, 'RECORDS_MAX_RESULTS').default(Math.min(DEFAULT_LIMIT, maxResults)),
    cursor: z
      .string()
      .max(1_000)
      .optional()
      .describe('`next` of the previous page; all other parameters must be the same as for that page'),
  });
  return {
    schema: filters.schema,
    read: ({ sort, limit, cursor, ...rest }) => ({
      conditions: filters.read(rest),
      sort: sort as string,
      limit: limit as number,
      cursor: cursor as string | undefined,
    }),
  };
}

/** Creates the query string of a collection's filters. @param others further parameters */
export function createFilterQuery(collection: RecordCollection, others: z.ZodRawShape = {}): FilterQuery {
  const filters = buildFilters(COLLECTION_SPECS[collection]);
  const shape = {
    q: z
      .string()
      .max(200)
      .refine((text) => splitWords(text).length <= MAX_WORDS, `must have at most ${MAX_WORDS} words`)
      .optional()
      .describe('Words or parts of words, all of which occur in the texts of a record'),
    ...Object.fromEntries([...filters].map(([name, { schema }]) => [name, schema.optional()])),
    ...others,
  };
  const schema = z.strictObject(shape);
  return {
    schema,
    read({ q = '', ...rest }) {
      const words = splitWords(q as string);
      const conditions = Object.entries(rest).flatMap(([name, value]) => {
        const filter = filters.get(name);
        return filter === undefined || value === undefined ? [] : [filter.toCondition(value as never)];
      });
      if (words.length > 0) conditions.push({ type: 'text', words });
      return conditions;
    },
  };
}

function splitWords(text: string): string[] {
  return searchText([text]).split(/\s+/).filter(Boolean);
}

function buildFilters(spec: AnySpec): Map<string, Filter> {
  const filters = new Map<string, Filter>();
  for (const [name, { type, values, description }] of Object.entries(spec.fields)) {
    if (type === 'text') filters.set(name, equalityFilter('any', name, values, description));
    if (type === 'number') addNumber(filters, name, description);
    if (type === 'date' || type === 'time') addRange(filters, name, type, description);
  }
  for (const [name, { values, description }] of Object.entries(spec.tags)) {
    filters.set(name, equalityFilter('tag', name, values, description));
  }
  addRange(filters, 'createdAt', 'time');
  addRange(filters, 'updatedAt', 'time');
  return filters;
}

/**
 * Builds a filter by equality. With several values, as in `status=planned&status=held`, a record has to match one of
 * them.
 */
function equalityFilter(
  type: 'any' | 'tag',
  field: string,
  values: readonly string[] | undefined,
  description = '',
): Filter {
  const one = values === undefined ? z.string().min(1).max(200) : z.enum(values as [string, ...string[]]);
  const schema = z
    .union([one, z.array(one).min(1).max(MAX_VALUES)])
    .describe(`${description === '' ? '' : `${description}. `}Repeated: any of the values`);
  return {
    schema,
    toCondition: (value: string | readonly string[]) => ({
      type,
      field,
      values: typeof value === 'string' ? [value] : value,
    }),
  };
}

function addNumber(filters: Map<string, Filter>, field: string, description?: string): void {
  const number = z
    .string()
    // `Number` would convert blank text to 0.
    .refine((text) => text.trim() !== '', 'must be a number')
    .pipe(z.coerce.number())
    .meta({ type: 'number', description });
  filters.set(field, {
    schema: number,
    toCondition: (value: number) => ({ type: 'any', field, values: [value] }),
  });
  for (const [end, type] of [
    ['Min', 'min'],
    ['Max', 'max'],
  ] as const) {
    filters.set(`${field}${end}`, {
      schema: number,
      toCondition: (value: number) => ({ type, field, value }),
    });
  }
}

/** Adds the filters `…From` and `…To`, both inclusive. A date without a time stands for its whole day in UTC. */
function addRange(
  filters: Map<string, Filter>,
  field: string,
  fieldType: Extract<FieldType, 'date' | 'time'>,
  description = '',
): void {
  const about = description === '' ? '' : `${description}. `;
  const schema =
    fieldType === 'date'
      ? dateSchema.describe(`${about}A date, inclusive`)
      : z.union([timeSchema, dateSchema]).describe(`${about}A time or a date (UTC), inclusive`);
  for (const [end, type, timeOfDay] of [
    ['From', 'min', 'T00:00:00.000Z'],
    ['To', 'max', 'T23:59:59.999Z'],
  ] as const) {
    filters.set(`${field}${end}`, {
      schema,
      toCondition: (value: string) => ({
        type,
        field,
        value: fieldType === 'time' && !value.includes('T') ? `${value}${timeOfDay}` : value,
      }),
    });
  }
}
