import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;
/** `input`: what callers send, before defaults; `output`: what they receive. */
type Io = 'input' | 'output';

const COMPONENTS = '#/components/schemas/';

/** Converts a schema to JSON Schema. Named schemas in it are references that only `finish` makes valid. */
export type Convert = (schema: z.ZodType, io: Io) => JsonSchema;

/** Converts schemas, and collects those that have a name, so that a document has each once. */
export interface NamedSchemas {
  readonly convert: Convert;
  /** Completes a document that has converted schemas. @returns the document and its `components.schemas` */
  finish<D extends object>(
    document: D,
  ): { readonly document: D; readonly schemas: Record<string, JsonSchema> };
}

/** Adds names to what schemas say of themselves. */
class Names extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  readonly #names: ReadonlyMap<unknown, string>;

  constructor(schemas: Readonly<Record<string, z.ZodType>>) {
    super();
    this.#names = new Map(Object.entries(schemas).map(([name, schema]) => [schema, name]));
  }

  override get(schema: z.core.$ZodType) {
    const id = this.#names.get(schema);
    // A schema without a name here keeps the id that it has.
    // eslint-disable-next-line holdfast/conditional-spread -- the spread is over what the registry says
    return { ...z.globalRegistry.get(schema), ...(id === undefined ? {} : { id }) };
  }
}

/** @param named the schemas that have a name */
export function createNamedSchemas(named: Readonly<Record<string, z.ZodType>>): NamedSchemas {
  const metadata = new Names(named);
  /** By direction and name, as in `input:Run`, because a schema with defaults differs in the two. */
  const definitions = new Map<string, JsonSchema>();

  return {
    convert(schema, io) {
      // A schema that is itself named would not be a reference at the root.
      const { properties, $defs = {} } = z.toJSONSchema(z.object({ root: schema }), {
        io,
        metadata,
        unrepresentable: 'any',
      });
      const renamed = <T>(part: T): T => mapReferences(part, (name) => `${io}:${name}`, '#/$defs/');
      for (const [name, { id: _, ...definition }] of Object.entries($defs as Record<string, JsonSchema>))
        definitions.set(`${io}:${name}`, renamed(definition));
      return renamed((properties as { root: JsonSchema }).root);
    },
    finish(document) {
      const split = findSplit(definitions);
      const nameOf = (key: string): string =>
        key.startsWith('input:') && split.has(nameIn(key)) ? `${nameIn(key)}Input` : nameIn(key);
      const schemas = [...definitions].map(([key, definition]): [string, JsonSchema] => [
        nameOf(key),
        mapReferences(definition, nameOf),
      ]);
      return {
        document: mapReferences(document, nameOf),
        schemas: Object.fromEntries(schemas.sort(([one], [other]) => (one < other ? -1 : 1))),
      };
    },
  };
}

/** Finds the names whose schema differs between what is sent and what is received, in itself or in what it refers to. */
function findSplit(definitions: ReadonlyMap<string, JsonSchema>): ReadonlySet<string> {
  const split = new Set<string>();
  const textOf = (key: string): string =>
    JSON.stringify(
      mapReferences(definitions.get(key), (other) => (split.has(nameIn(other)) ? other : nameIn(other))),
    );
  const names = [...definitions.keys()]
    .map(nameIn)
    .filter((name) => definitions.has(`input:${name}`) && definitions.has(`output:${name}`));
  for (let before = -1; before < split.size;) {
    before = split.size;
    for (const name of names) if (textOf(`input:${name}`) !== textOf(`output:${name}`)) split.add(name);
  }
  return split;
}

function nameIn(key: string): string {
  return key.slice(key.indexOf(':') + 1);
}

/** Copies JSON with other names in its references. Pure. */
function mapReferences<T>(value: T, rename: (name: string) => string, prefix = COMPONENTS): T {
  if (Array.isArray(value)) return value.map((item: unknown) => mapReferences(item, rename, prefix)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, part]: [string, unknown]) =>
    key === '$ref' && typeof part === 'string' && part.startsWith(prefix)
      ? [key, COMPONENTS + rename(part.slice(prefix.length))]
      : [key, mapReferences(part, rename, prefix)],
  );
  return Object.fromEntries(entries) as T;
}
