import type { ErrorObject } from 'ajv';
import { toPointerPart } from '../base/json/pointer';
import { isKeptNumber, KEPT_NUMBER } from '../base/json/scan';
import type { SchemaProblem } from './sandbox';
import { cutText } from '../base/text/well-formed';

type Fields = Readonly<Record<string, unknown>>;

/** Bounds of what is said about one value, because errors are stored. */
const MAX_PROBLEMS = 20;
/** Later errors are not read, because each is compared with the others. A value may have one for each of its parts. */
const MAX_ERRORS = 200;
const MAX_MESSAGE = 300;
const MAX_POINTER = 256;
const MAX_SHOWN = 64;
const MAX_NAMES = 30;
/** Keywords that combine schemas, whose errors stand for those of the schemas combined. */
const UNIONS: ReadonlySet<string> = new Set(['anyOf', 'oneOf']);

/**
 * Describes the errors of the engine: in the order of the schema's properties, with one problem for each union, and at most 20. Pure.
 * @param schema whose order of properties counts
 */
export function describeProblems(all: readonly ErrorObject[], schema: Fields): SchemaProblem[] {
  const errors = all.slice(0, MAX_ERRORS);
  const order = Object.keys(isFields(schema['properties']) ? schema['properties'] : {}).map(toPointerPart);
  const placeOf = ({ pointer }: SchemaProblem): number => {
    const place = order.indexOf(pointer.split('/')[1] ?? '');
    return place === -1 ? order.length : place;
  };
  const unionOf = findUnions(errors);
  const within = (union: ErrorObject | undefined): ErrorObject[] =>
    withoutChoices(errors.filter((error) => unionOf.get(error) === union));
  return within(undefined)
    .map((error) => toProblem(error, within(error)))
    .map((problem, at) => ({ problem, at, place: placeOf(problem) }))
    .sort((one, other) => one.place - other.place || one.at - other.at)
    .slice(0, MAX_PROBLEMS)
    .map(({ problem }) => problem);
}

/** Finds for each error of a combined schema the error of the union that stands for it. The engine lists it before that. */
function findUnions(errors: readonly ErrorObject[]): ReadonlyMap<ErrorObject, ErrorObject> {
  const unions = new Map<ErrorObject, ErrorObject>();
  errors.forEach((union, index) => {
    if (!UNIONS.has(union.keyword)) return;
    for (const error of errors.slice(0, index).reverse()) {
      if (!isWithin(error, union)) break;
      if (!unions.has(error)) unions.set(error, union);
    }
  });
  return unions;
}

/** Whether an error is of one of the schemas of a union: by its path, or by that of a schema to which one of them refers. */
function isWithin({ schemaPath, instancePath }: ErrorObject, union: ErrorObject): boolean {
  if (schemaPath.startsWith(`${union.schemaPath}/`)) return true;
  const parent = union.schemaPath.slice(0, union.schemaPath.lastIndexOf('/'));
  const isReferred = !schemaPath.startsWith(`${parent}/`) || /^#\/(?:\$defs|definitions)\//.test(schemaPath);
  return isReferred && `${instancePath}/`.startsWith(`${union.instancePath}/`);
}

/** Leaves out that a value is not one of the choices, if its type is wrong already. */
function withoutChoices(errors: readonly ErrorObject[]): ErrorObject[] {
  const mistyped = new Set(
    errors.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath),
  );
  return errors.filter(
    ({ keyword, instancePath, schemaPath }) =>
      !(
        isChoice(keyword) &&
        mistyped.has(instancePath) &&
        !/\/(?:any|one)Of\/|^#\/(?:\$defs|definitions)\//.test(schemaPath)
      ),
  );
}

function toProblem(error: ErrorObject, parts: readonly ErrorObject[]): SchemaProblem {
  const { keyword, instancePath, params } = error;
  const names = ['missingProperty', 'additionalProperty', 'unevaluatedProperty'];
  const name = names.map((param) => (params as Fields)[param]).find((value) => typeof value === 'string');
  const isNamed = name !== undefined && keyword !== 'dependentRequired';
  const pointer = isNamed ? `${instancePath}/${toPointerPart(name)}` : instancePath;
  return {
    pointer: cutText(pointer, MAX_POINTER),
    message: cutText(describe(error, parts), MAX_MESSAGE),
    keyword,
  };
}

function describe(error: ErrorObject, parts: readonly ErrorObject[]): string {
  const { keyword, params, data, message = 'is refused by the schema' } = error;
  const properties = error.parentSchema?.['properties'] as Fields | undefined;
  const known = params as Fields;
  switch (keyword) {
    case 'required':
      return `is required (${typeOf(properties?.[known['missingProperty'] as string])})`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `is not expected here${listNames(Object.keys(properties ?? {}))}`;
    case 'type':
      return `must be ${describeTypes(known['type'])}, got ${isNumeric(known['type']) && isKeptNumber(data) ? KEPT_NUMBER : describeValue(data)}`;
    case 'enum':
      return `must be one of ${listValues(known['allowedValues'])}; got ${showChoice(data)}`;
    case 'const':
      return `must be ${showChoice(known['allowedValue'])}; got ${showChoice(data)}`;
    case 'false schema':
      return 'is not allowed';
    case 'anyOf':
    case 'oneOf':
      return describeUnion(error, parts);
    default:
      return message;
  }
}

function isNumeric(types: unknown): boolean {
  return [types].flat().some((type) => type === 'number' || type === 'integer');
}

function describeUnion(
  { keyword, schema, instancePath }: ErrorObject,
  parts: readonly ErrorObject[],
): string {
  const forms = Array.isArray(schema) ? schema.length : 0;
  if (parts.length === 0) return `must fit exactly one of the ${forms} forms of ${keyword}`;
  const reasons = parts.map((part) => {
    const { pointer, message } = toProblem(part, []);
    const place = pointer.slice(instancePath.length);
    return place === '' ? message : `${place} ${message}`;
  });
  return `fits none of the ${forms} forms of ${keyword}: ${[...new Set(reasons)].join('; ')}`;
}

function isChoice(keyword: string): boolean {
  return keyword === 'enum' || keyword === 'const';
}

function typeOf(property: unknown): string {
  const type = isFields(property) ? property['type'] : undefined;
  return typeof type === 'string' ? type : 'any';
}

function describeTypes(types: unknown): string {
  return [types].flat().map(describeType).join(' or ');
}

function describeType(type: unknown): string {
  if (type === 'null') return 'null';
  return type === 'number' ? 'a finite number' : withArticle(String(type));
}

/** Describes the value that was received. It never repeats a text, which may be a secret in the wrong place. */
function describeValue(value: unknown): string {
  if (typeof value === 'number') return `the number ${value}`;
  if (value === null) return 'null';
  return withArticle(Array.isArray(value) ? 'array' : typeof value);
}

function showChoice(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(cutText(value, MAX_SHOWN));
  return typeof value === 'boolean' ? String(value) : describeValue(value);
}

function listValues(values: unknown): string {
  if (!Array.isArray(values)) return '';
  const shown = values.map((value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return cutText(shown.join(', '), MAX_MESSAGE / 2);
}

function listNames(names: readonly string[]): string {
  return names.length === 0
    ? ''
    : `; there ${names.length === 1 ? 'is' : 'are'} ${names.slice(0, MAX_NAMES).join(', ')}`;
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
