import { z } from 'zod';

/** Values of which one fits each field of the schemas of requests. */
const CANDIDATES: readonly unknown[] = [
  ...[
    'a',
    '1',
    'false',
    '2026-01-02T03:04:05.000Z',
    '2026-01-02',
    '0b8e7a5e-3f0e-4a8e-9c59-0d2f4b1c7a11',
    'AB',
  ],
  ...[
    '0123456789abcdef',
    'https://example.com/',
    'neo4j://host:7687',
    'lexical-1',
    '{{a.result}}',
    'FR',
    'Ab-1',
  ],
  ...[1, 10, 0.5, 1_000, 16, true, false, {}, [], null, [10], ['a'], ['read'], ['A']],
];

type Schema = z.ZodType;

/** An object of a schema: its path, and a value of the whole schema with a further field in that object. */
export interface Level {
  /** As in `options.approval`; empty for the schema itself. */
  readonly path: readonly PropertyKey[];
  readonly value: unknown;
  /** Whether the schema takes any field there. */
  readonly isFree: boolean;
}

interface Parts {
  readonly options?: readonly Schema[];
  readonly in?: Schema;
  readonly innerType?: Schema;
  readonly element?: Schema;
  readonly valueType?: Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly catchall?: Schema;
}

const partsOf = (schema: Schema): Parts => schema.def as unknown as Parts;
const accepts = (schema: Schema, value: unknown): boolean => schema.safeParse(value).success;
const isOptional = (schema: Schema): boolean => accepts(schema, undefined);

/** A value that a schema takes, as short as it may be. @throws if it finds none */
export function sampleOf(schema: Schema): unknown {
  const { options, in: before, innerType, shape, element } = partsOf(schema);
  const inner = before ?? innerType ?? options?.[0];
  const built =
    shape !== undefined
      ? sampleObject(shape)
      : inner !== undefined
        ? sampleOf(inner)
        : element !== undefined
          ? [sampleOf(element)]
          : undefined;
  const literals = schema instanceof z.ZodLiteral || schema instanceof z.ZodEnum ? literalsOf(schema) : [];
  const found = [built, ...literals, ...CANDIDATES].find(
    (value) => value !== undefined && accepts(schema, value),
  );
  if (found === undefined && shape === undefined)
    throw new Error(
      `no value for ${JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))}`,
    );
  return found ?? built;
}

function literalsOf(schema: z.ZodLiteral | z.ZodEnum): readonly unknown[] {
  return schema instanceof z.ZodLiteral ? [...schema.values] : schema.options;
}

function sampleObject(shape: Readonly<Record<string, Schema>>): Record<string, unknown> {
  const required = Object.entries(shape).filter(([, field]) => !isOptional(field));
  return Object.fromEntries(required.map(([name, field]) => [name, sampleOf(field)]));
}

/** All objects of a schema, each with the field `extra` added. */
export function levelsOf(schema: Schema, extra: string): Level[] {
  const { options, in: before, innerType, element, shape, catchall, valueType } = partsOf(schema);
  if (options !== undefined) return options.flatMap((option) => levelsOf(option, extra));
  const inner = before ?? innerType;
  if (inner !== undefined) return levelsOf(inner, extra);
  if (element !== undefined)
    return levelsOf(element, extra).map((level) => within(level, 0, (value) => [value]));
  if (valueType !== undefined)
    return [
      { path: [], value: { [extra]: 1 }, isFree: true },
      ...levelsOf(valueType, extra).map((level) => within(level, 'key', (value) => ({ key: value }))),
    ];
  if (shape === undefined) {
    const isFree = accepts(schema, { [extra]: 1 });
    return isFree ? [{ path: [], value: { [extra]: 1 }, isFree }] : [];
  }
  const sample = sampleObject(shape);
  const isStrict =
    catchall !== undefined && partsOf(catchall) !== undefined && catchall instanceof z.ZodNever;
  return [
    { path: [], value: { ...sample, [extra]: 1 }, isFree: !isStrict },
    ...Object.entries(shape).flatMap(([name, field]) =>
      levelsOf(field, extra).map((level) => within(level, name, (value) => ({ ...sample, [name]: value }))),
    ),
  ];
}

function within(level: Level, step: PropertyKey, around: (value: unknown) => unknown): Level {
  return { ...level, path: [step, ...level.path], value: around(level.value) };
}
