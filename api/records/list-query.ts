import { z } from 'zod';
import type { RecordCollection } from '../../src/contracts/http/records/common';
import { dateSchema, timeSchema } from '../../src/contracts/http/records/common';
import type { CollectionSpec, FieldType } from '../../src/records/collection-spec';
import { COLLECTION_SPECS } from '../../src/records/collections';
import type { ListRecords } from '../../src/records/record-collection';
import { searchText } from '../../src/stores/records/record';
import type { RecordCondition } from '../../src/stores/records/record-store';
import { knownNames } from './known-names';

const MAX_VALUES = 50;
const MAX_WORDS = 10;
const DEFAULT_LIMIT = 50;
const DEFAULT_SORT = '-createdAt';

/** Turns the value of a filter into what it asks for. */
type ToCondition = (value: never) => RecordCondition;

interface Filter {
  readonly schema: z.ZodType;
  readonly toCondition: ToCondition;
}

type AnySpec = CollectionSpec<RecordCollection>;

/** A query string, and what it asks for. */
interface Query<T> {
  /** Refuses unknown filters, and lists the known ones. */
  readonly schema: z.ZodType<Record<string, unknown>>;
  read(query: Record<string, unknown>): T;
}

export type ListQuery = Query<ListRecords>;
export type FilterQuery = Query<readonly RecordCondition[]>;

/** @param mostResults the setting RECORDS_MAX_RESULTS */
export function listQueryOf(collection: RecordCollection, mostResults: number): ListQuery {
  const spec = COLLECTION_SPECS[collection] as unknown as AnySpec;
  const sorts = ['createdAt', 'updatedAt', ...spec.sorts].flatMap((name) => [name, `-${name}`]);
  const filters = filterQueryOf(collection, {
    sort: z
      .enum(sorts as [string, ...string[]])
      .default(DEFAULT_SORT)
      .describe('A minus in front: descending'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(mostResults, `must be at most ${mostResults} (RECORDS_MAX_RESULTS)`)
      .default(Math.min(DEFAULT_LIMIT, mostResults)),
    cursor: z.string().max(1_000).optional().describe('`next` of the page before; the rest as for that page'),
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

/** The filters of a collection alone. @param others what a query string may have besides */
export function filterQueryOf(collection: RecordCollection, others: z.ZodRawShape = {}): FilterQuery {
  const filters = filtersOf(COLLECTION_SPECS[collection]);
  const shape = {
    q: z
      .string()
      .max(200)
      .refine((text) => wordsOf(text).length <= MAX_WORDS, `must have at most ${MAX_WORDS} words`)
      .optional()
      .describe('Words, or parts of words, that the texts of a record have all of'),
    ...Object.fromEntries([...filters].map(([name, { schema }]) => [name, schema.optional()])),
    ...others,
  };
  const schema = knownNames(shape, 'filter');
  return {
    schema,
    read({ q = '', ...rest }) {
      const words = wordsOf(q as string);
      const conditions = Object.entries(rest).flatMap(([name, value]) => {
        const filter = filters.get(name);
        return filter === undefined || value === undefined ? [] : [filter.toCondition(value as never)];
      });
      if (words.length > 0) conditions.push({ type: 'text', words });
      return conditions;
    },
  };
}

function wordsOf(text: string): string[] {
  return searchText([text]).split(/\s+/).filter(Boolean);
}

function filtersOf(spec: AnySpec): Map<string, Filter> {
  const filters = new Map<string, Filter>();
  for (const [name, { type, values, description }] of Object.entries(spec.fields)) {
    if (type === 'text') filters.set(name, anyOf('any', name, values, description));
    if (type === 'number') addNumber(filters, name, description);
    if (type === 'date' || type === 'time') addRange(filters, name, type, description);
  }
  for (const [name, { values, description }] of Object.entries(spec.tags)) {
    filters.set(name, anyOf('tag', name, values, description));
  }
  addRange(filters, 'createdAt', 'time');
  addRange(filters, 'updatedAt', 'time');
  return filters;
}

/** One value, or several of which a record has one: `status=planned&status=held`. */
function anyOf(
  type: 'any' | 'tag',
  field: string,
  values: readonly string[] | undefined,
  description = '',
): Filter {
  const one = values === undefined ? z.string().min(1).max(200) : z.enum(values as [string, ...string[]]);
  const schema = z
    .union([one, z.array(one).min(1).max(MAX_VALUES)])
    .describe(`${description === '' ? '' : `${description}. `}Given several times: any of them`);
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
    // `Number` takes it for 0.
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

/** From and to, both included; a date alone stands for its whole day in UTC. */
function addRange(
  filters: Map<string, Filter>,
  field: string,
  fieldType: Extract<FieldType, 'date' | 'time'>,
  description = '',
): void {
  const about = description === '' ? '' : `${description}. `;
  const schema =
    fieldType === 'date'
      ? dateSchema.describe(`${about}A date, itself included`)
      : z.union([timeSchema, dateSchema]).describe(`${about}A time or a date (UTC), itself included`);
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
