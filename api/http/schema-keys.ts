import { z } from 'zod';
import { plainName } from '../../src/base/text/nearest';
import { groupBy } from '../../src/base/lists';

const later = new WeakMap<z.ZodType, z.ZodType>();
const withoutEffect = new WeakSet<z.ZodType>();

/** The schema of a value that is taken as it is, because another schema validates it later. */
export function validatedLater(by: z.ZodType): z.ZodUnknown {
  const schema = z.unknown();
  later.set(schema, by);
  return schema;
}

/** Marks a field of a body that is accepted without an effect, so that the response names it. */
export function ignoredField<S extends z.ZodType>(schema: S): S {
  withoutEffect.add(schema);
  return schema;
}

/**
 * Marks the schema of a body that carries data, or of any object whose top level takes other fields: those that resemble
 * none of its own are ignored, and named in the response.
 */
export function takingOthers<S extends z.ZodType>(schema: S): S {
  return schema.meta({ additionalProperties: true });
}

export function takesOthers(schema: z.ZodType): boolean {
  return schema.meta()?.['additionalProperties'] === true;
}

/** A field of a schema, as in `options.timeout` or `tools[].args`. */
export interface SchemaKey {
  readonly name: string;
  /** The path of the object that has it; empty for the schema itself. */
  readonly level: string;
}

const ignored = new WeakMap<z.ZodType, readonly string[]>();
const keys = new WeakMap<z.ZodType, ReadonlyMap<string, readonly SchemaKey[]>>();

/** All fields of a schema by their plain names (`plainName`), the outer ones first. */
export function keysOf(schema: z.ZodType): ReadonlyMap<string, readonly SchemaKey[]> {
  const known = keys.get(schema);
  if (known !== undefined) return known;
  const allKeys: SchemaKey[] = [];
  collect(schema, '', allKeys);
  allKeys.sort((one, other) => depthOf(one) - depthOf(other));
  const byName = new Map(
    groupBy(allKeys, ({ name }) => plainName(name)).map((group) => [plainName(group[0].name), group]),
  );
  keys.set(schema, byName);
  return byName;
}

export function placeOf({ level, name }: SchemaKey): string {
  return level === '' ? name : `${level}.${name}`;
}

/** Writes a path as in code: `args.b`, `tools[1].toolName`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}

/** The names of the fields of an object schema that have no effect. */
export function ignoredNames(schema: z.ZodType): readonly string[] {
  // Each request asks for them.
  const known = ignored.get(schema);
  if (known !== undefined) return known;
  const names = Object.entries(innerOf(schema).shape ?? {}).flatMap(([name, field]) =>
    partsOf(field).some((part) => withoutEffect.has(part)) ? [name] : [],
  );
  ignored.set(schema, names);
  return names;
}

function depthOf(key: SchemaKey): number {
  return key.level === '' ? 0 : key.level.split('.').length;
}

function collect(schema: z.ZodType, level: string, allKeys: SchemaKey[]): void {
  for (const part of partsOf(schema)) {
    const by = later.get(part);
    if (by !== undefined) collect(by, level, allKeys);
    const { element, shape = {} } = innerOf(part);
    if (element !== undefined) collect(element, `${level}[]`, allKeys);
    for (const [name, field] of Object.entries(shape)) {
      const key = { name, level };
      if (!allKeys.some((each) => each.name === name && each.level === level)) allKeys.push(key);
      collect(field, placeOf(key), allKeys);
    }
  }
}

/** The schemas inside of a schema, as zod keeps them. */
interface Inner {
  readonly options?: readonly z.ZodType[];
  readonly in?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
}

const innerOf = (schema: z.ZodType): Inner => schema.def as unknown as Inner;

/** The schemas by which a value of a schema is validated, those around others too, such as `optional`. */
function partsOf(schema: z.ZodType): readonly z.ZodType[] {
  const { options = [], in: before = [], innerType = [] } = innerOf(schema);
  return [schema, ...[options, before, innerType].flat().flatMap(partsOf)];
}
