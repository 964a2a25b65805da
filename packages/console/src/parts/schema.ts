/** A JSON Schema, as far as forms read it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly items?: Schema;
}

export interface Field {
  /** The names that lead to it, with dots. */
  readonly path: string;
  readonly name: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'object' | 'json';
  readonly isRequired: boolean;
  readonly description: string | undefined;
  /** Of a choice. */
  readonly values: readonly unknown[];
  /** Of an object. */
  readonly fields: readonly Field[];
}

/** Deeper objects are written as JSON. */
const MAX_DEPTH = 3;

/** The fields of a form for values of a schema. Pure. */
export function fieldsOf(schema: Schema, prefix = '', depth = 1): Field[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const path = `${prefix}${name}`;
    const kind = kindOf(property, depth);
    return {
      path,
      name,
      kind,
      isRequired: required.has(name),
      description: property.description,
      values: kind === 'choice' ? (property.enum ?? []) : [],
      fields: kind === 'object' ? fieldsOf(property, `${path}.`, depth + 1) : [],
    };
  });
}

function kindOf({ type, enum: values, properties = {} }: Schema, depth: number): Field['kind'] {
  if (values !== undefined) return 'choice';
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  return type === 'object' && Object.keys(properties).length > 0 && depth < MAX_DEPTH ? 'object' : 'json';
}

/** What a person has written, by the paths of fields. */
export type Written = Readonly<Record<string, string>>;

export interface ReadValue {
  readonly value: Readonly<Record<string, unknown>>;
  /** What is wrong, by the paths of fields. */
  readonly mistakes: Readonly<Record<string, string>>;
}

/** Reads what was written. An empty field is left out. Pure. */
export function readFields(fields: readonly Field[], written: Written): ReadValue {
  const value: Record<string, unknown> = {};
  const mistakes: Record<string, string> = {};
  for (const field of fields) {
    const text = written[field.path] ?? '';
    if (field.kind === 'object') {
      const inner = readFields(field.fields, written);
      const isThere = Object.keys(inner.value).length > 0 || field.isRequired;
      if (isThere) value[field.name] = inner.value;
      if (isThere || Object.keys(inner.mistakes).some((path) => (written[path] ?? '') !== ''))
        Object.assign(mistakes, inner.mistakes);
    } else if (text === '') {
      if (field.isRequired) mistakes[field.path] = 'is required';
    } else {
      const read = readText(field, text);
      if (read.mistake === undefined) value[field.name] = read.value;
      else mistakes[field.path] = read.mistake;
    }
  }
  return { value, mistakes };
}

function readText(
  { kind, values }: Field,
  text: string,
): { readonly value?: unknown; readonly mistake?: string } {
  if (kind === 'text') return { value: text };
  if (kind === 'choice') return { value: values.find((each) => String(each) === text) };
  if (kind === 'boolean') return { value: text === 'true' };
  if (kind === 'number')
    return Number.isNaN(Number(text)) ? { mistake: 'must be a number' } : { value: Number(text) };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { mistake: 'must be JSON; a text has quotes' };
  }
}

const JSON_TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  null: (value) => value === null,
};

/**
 * Checks a value by the simple rules of a schema: types, required and unknown fields, choices. The service checks it again, by all
 * rules. Pure.
 * @returns a line for each mistake
 */
export function mistakesOf(value: unknown, schema: Schema, path = ''): string[] {
  const at = path === '' ? 'The value' : path;
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length > 0 && !types.some((type) => JSON_TYPES[type]?.(value) !== false))
    return [`${at} must be of type ${types.join(' or ')}`];
  if (schema.enum !== undefined && !schema.enum.includes(value))
    return [`${at} must be one of ${schema.enum.map(String).join(', ')}`];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const { properties = {}, required = [], additionalProperties } = schema;
  const inner = (name: string): string => (path === '' ? name : `${path}.${name}`);
  return [
    ...required.filter((name) => !(name in value)).map((name) => `${inner(name)} is required`),
    ...Object.entries(value).flatMap(([name, each]) => {
      const property = properties[name];
      if (property !== undefined) return mistakesOf(each, property, inner(name));
      return additionalProperties === false ? [`${inner(name)} is not known`] : [];
    }),
  ];
}
