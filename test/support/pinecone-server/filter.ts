import { Refusal } from './errors';

export type MetadataValue = string | number | boolean | readonly string[];
export type Metadata = Readonly<Record<string, MetadataValue>>;

type Comparison = (value: MetadataValue | undefined, wanted: unknown) => boolean;

/** A list matches if one of its values does; a negation matches if none of its values is equal. */
const COMPARISONS: Readonly<Record<string, Comparison>> = {
  $eq: (value, wanted) => values(value).includes(scalar(wanted)),
  $ne: (value, wanted) => !values(value).includes(scalar(wanted)),
  $in: (value, wanted) => values(value).some((one) => list(wanted).includes(one)),
  $nin: (value, wanted) => !values(value).some((one) => list(wanted).includes(one)),
  $gt: (value, wanted) => typeof value === 'number' && value > number(wanted),
  $gte: (value, wanted) => typeof value === 'number' && value >= number(wanted),
  $lt: (value, wanted) => typeof value === 'number' && value < number(wanted),
  $lte: (value, wanted) => typeof value === 'number' && value <= number(wanted),
};

/**
 * Pinecone's filter language: conditions on fields, all of which must hold, and `$and` and `$or` of such conditions.
 */
export function matches(filter: unknown, metadata: Metadata): boolean {
  return Object.entries(object(filter)).every(([name, condition]) => {
    if (name === '$and') return clauses(condition).every((clause) => matches(clause, metadata));
    if (name === '$or') return clauses(condition).some((clause) => matches(clause, metadata));
    if (name.startsWith('$')) throw invalid(`${name} is not a valid operator`);
    return matchesField(condition, metadata[name]);
  });
}

function matchesField(condition: unknown, value: MetadataValue | undefined): boolean {
  if (typeof condition !== 'object') return COMPARISONS.$eq?.(value, condition) === true;
  return Object.entries(object(condition)).every(([operator, wanted]) => {
    const compare = COMPARISONS[operator];
    if (compare === undefined) throw invalid(`${operator} is not a valid operator`);
    return compare(value, wanted);
  });
}

function values(value: MetadataValue | undefined): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function scalar(wanted: unknown): unknown {
  if (['string', 'number', 'boolean'].includes(typeof wanted)) return wanted;
  throw invalid('the operator must be followed by a string, boolean or a number');
}

function number(wanted: unknown): number {
  if (typeof wanted === 'number') return wanted;
  throw invalid('the operator must be followed by a number');
}

function list(wanted: unknown): readonly unknown[] {
  if (Array.isArray(wanted) && wanted.length > 0 && wanted.length <= 10_000) return wanted.map(scalar);
  throw invalid('the operator must be followed by a list of 1 to 10,000 strings or numbers');
}

function clauses(condition: unknown): readonly unknown[] {
  if (Array.isArray(condition) && condition.length > 0) return condition;
  throw invalid('$and and $or must be followed by a list of filters');
}

function object(value: unknown): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0) {
    return value;
  }
  throw invalid('a filter must be an object with at least one field');
}

function invalid(message: string): Refusal {
  return new Refusal('INVALID_ARGUMENT', message);
}
