import fc from 'fast-check';
import { PARAMETER_TYPES, type ToolParameters } from '../../../src/contracts/http/tools';

const name = fc
  .stringMatching(/^[A-Za-z0-9_-]{1,64}$/)
  .filter((text) => !['__proto__', 'constructor', 'prototype'].includes(text));

const parameter = fc
  .record({
    type: fc.constantFrom(...PARAMETER_TYPES),
    description: fc.string({ maxLength: 100 }),
    required: fc.boolean(),
    choices: fc.option(fc.uniqueArray(fc.string({ maxLength: 20 }), { minLength: 1, maxLength: 5 })),
  })
  .map(({ choices, ...rest }) => (choices && rest.type === 'string' ? { ...rest, enum: choices } : rest));

/** Parameters in stored form. */
export const anyParameters: fc.Arbitrary<ToolParameters> = fc.dictionary(name, parameter, {
  maxKeys: 8,
  noNullPrototype: true,
});
