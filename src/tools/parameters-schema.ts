import { PARAMETER_TYPES } from '../contracts/http/tools';
import { MAX_NAME, MAX_PARAMETERS, UNSAFE_NAMES } from './parameters';

const TYPE = { enum: [...PARAMETER_TYPES] };
const DESCRIPTION = { type: 'string', maxLength: 2_000 };
const ENUM = { type: 'array', minItems: 1, maxItems: 200, items: { type: 'string', maxLength: 200 } };
/** Only a parameter of type string may have a list of choices. */
const CHOICES_OF_TEXTS = [{ properties: { type: { const: 'string' } } }, { properties: { enum: false } }];
const NAMES = { minLength: 1, maxLength: MAX_NAME, not: { enum: [...UNSAFE_NAMES] } };

const NAME_MAP = {
  type: 'object',
  maxProperties: MAX_PARAMETERS,
  propertyNames: NAMES,
  additionalProperties: {
    anyOf: [
      TYPE,
      {
        type: 'object',
        properties: {
          type: TYPE,
          description: DESCRIPTION,
          enum: ENUM,
          default: {},
          required: { type: 'boolean' },
        },
        required: ['type'],
        additionalProperties: false,
        anyOf: CHOICES_OF_TEXTS,
      },
    ],
  },
};

const JSON_SCHEMA = {
  type: 'object',
  description: 'A JSON Schema (2020-12) of an object',
  properties: { type: { const: 'object' }, properties: { type: 'object', propertyNames: NAMES } },
  required: ['type', 'properties'],
};

/**
 * The forms that `readInputSchema` accepts, as JSON Schema. It does not say what a JSON Schema may consist of, which its
 * compilation decides.
 */
export const PARAMETERS_FORMS = [NAME_MAP, JSON_SCHEMA];
