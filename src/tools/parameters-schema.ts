import { PARAMETER_TYPES } from '../contracts/http/tools';
import { MAX_PARAMETERS, PARAMETER_NAME, UNSAFE_NAMES } from './parameters';

const TYPE = { enum: [...PARAMETER_TYPES] };
const DESCRIPTION = { type: 'string', maxLength: 2_000 };
const ENUM = { type: 'array', minItems: 1, maxItems: 200, items: { type: 'string', maxLength: 200 } };
/** A list of choices is possible for texts alone. */
const CHOICES_OF_TEXTS = [{ properties: { type: { const: 'string' } } }, { properties: { enum: false } }];
const NAMES = {
  maxProperties: MAX_PARAMETERS,
  propertyNames: { pattern: PARAMETER_NAME.source, not: { enum: [...UNSAFE_NAMES] } },
};

const NAME_MAP = {
  type: 'object',
  ...NAMES,
  additionalProperties: {
    anyOf: [
      TYPE,
      {
        type: 'object',
        properties: { type: TYPE, description: DESCRIPTION, enum: ENUM, required: { type: 'boolean' } },
        required: ['type'],
        additionalProperties: false,
        anyOf: CHOICES_OF_TEXTS,
      },
    ],
  },
};

const SCHEMA_OF_PROPERTIES = {
  type: 'object',
  properties: {
    type: { const: 'object' },
    properties: {
      type: 'object',
      ...NAMES,
      additionalProperties: {
        type: 'object',
        properties: {
          type: { anyOf: [TYPE, { type: 'array' }] },
          description: DESCRIPTION,
          enum: ENUM,
        },
        anyOf: CHOICES_OF_TEXTS,
      },
    },
    required: { type: ['array', 'null'], items: { type: 'string' } },
  },
  required: ['type', 'properties'],
};

/**
 * What `normaliseParameters` takes, as JSON Schema has it. It cannot say that `required` lists names of the properties, which
 * is checked there alone.
 */
export const PARAMETERS_FORMS = [NAME_MAP, SCHEMA_OF_PROPERTIES];
