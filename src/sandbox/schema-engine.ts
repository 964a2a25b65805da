import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { withNumericBounds } from './numeric-bounds';
import type { SchemaProblem } from './sandbox';
import { describeProblems } from './schema-problems';

type Schema = Readonly<Record<string, unknown>>;

/** Returns what a schema refuses in a value; empty if the value is valid. */
export type CompiledSchema = (value: unknown) => readonly SchemaProblem[];

const ENGINES: Readonly<Record<string, typeof Ajv | typeof Ajv2019 | typeof Ajv2020>> = {
  '2020-12': Ajv2020,
  '2019-09': Ajv2019,
  'draft-07': Ajv,
  'draft-06': Ajv,
};
const DIALECT = /^https?:\/\/json-schema\.org\/(?:draft\/)?(2020-12|2019-09|draft-0[67])\/schema#?$/;

const OPTIONS: Options = {
  allErrors: true,
  verbose: true,
  // Schemas of others have keywords and formats that no engine knows.
  strict: false,
  validateSchema: false,
  logger: false,
  // Otherwise a value without the property `constructor` would count as one that has it, as every object inherits it.
  ownProperties: true,
  code: { regExp: Object.assign(toRegExp, { code: 'toRegExp' }) },
};

/**
 * Compiles a schema (2020-12 if it names no other) with an engine of its own, because an engine never forgets what it has
 * compiled. The code that it makes may run forever, so schemas of others are compiled and used in threads alone.
 * @param fills whether a check adds the defaults of absent properties to the value, in place
 * @throws Error for a schema that cannot be used, such as one that refers to another document
 */
export function compileSchema(schema: Schema, fills: boolean): CompiledSchema {
  const validate = createEngine(schema, fills).compile(toDocument(schema));
  return (value) => (validate(value) ? [] : describeProblems(validate.errors ?? [], schema));
}

/**
 * Finds what is wrong with a schema itself, as pointers into it; empty if it can be used.
 * @throws Error as `compileSchema` does
 */
export function findSchemaFaults(schema: Schema): readonly SchemaProblem[] {
  const engine = createEngine(schema, false);
  const document = toDocument(schema);
  const isSchema: unknown = engine.validateSchema(document);
  if (isSchema !== true) return describeProblems(deepestFirst(engine.errors ?? []), {});
  engine.compile(document);
  return [];
}

function createEngine({ $schema }: Schema, useDefaults: boolean) {
  const named = typeof $schema === 'string' ? DIALECT.exec($schema)?.[1] : undefined;
  const Engine = ENGINES[$schema === undefined ? '2020-12' : (named ?? '')];
  if (Engine === undefined) {
    const shown = JSON.stringify($schema).slice(0, 200);
    throw new Error(`$schema is ${shown}; there are ${Object.keys(ENGINES).join(', ')}`);
  }
  const engine = new Engine({ ...OPTIONS, useDefaults });
  addFormats(engine);
  return engine;
}

/** Prepares a schema for the engine, which is that of the dialect already and knows no other, and which refuses bounds that are texts. */
function toDocument({ $schema: _, ...schema }: Schema): Schema {
  return withNumericBounds(schema);
}

/** The schema of schemas refuses a part in every place around it too. */
function deepestFirst(errors: readonly ErrorObject[]): ErrorObject[] {
  const depth = ({ instancePath }: ErrorObject): number => instancePath.split('/').length;
  return [...errors].sort((one, other) => depth(other) - depth(one));
}

/**
 * Makes the regular expression of a pattern. With the flag `u`, as JSON Schema recommends, escapes such as `\-` and `\@` are no
 * regular expression, but some libraries write them into schemas.
 */
function toRegExp(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
}
