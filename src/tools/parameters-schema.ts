import { PARAMETER_TYPES } from '../contracts/http/tools';
import { MAX_PARAMETERS, PARAMETER_NAME, UNSAFE_NAMES } from './parameters';

const TYPE = { enum: [...PARAMETER_TYPES] };
const DESCRIPTION = { type: 'string', maxLength: 2_000 };
const ENUM = { type: 'array', minItems: 1, maxItems: 200, items: { type: 'string', maxLength: 200 } };
/** Only a parameter of type string may have a list of choices. */
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
 * The forms that `normaliseParameters` accepts, as JSON Schema. JSON Schema cannot express that `required` lists names
 * of the properties; `normaliseParameters` alone checks that.
 */
export const PARAMETERS_FORMS = [NAME_MAP, SCHEMA_OF_PROPERTIES];
