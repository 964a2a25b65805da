import type { SchemaChecks } from '../../src/sandbox/schema-checks';
import { compileSchema, findSchemaFaults } from '../../src/sandbox/schema-engine';
import { createArgumentChecks } from '../../src/tools/argument-check';
import { builtinDefinitions } from '../../src/tools/builtin/declarations';

/** Checks by schemas in place of threads, for tests whose schemas end. */
export const schemaChecks: SchemaChecks = {
  of: () => (_author, schema, request) => {
    const known = schema as Record<string, unknown>;
    if (!('value' in request)) return Promise.resolve({ problems: findSchemaFaults(known) });
    const value = structuredClone(request.value);
    const problems = compileSchema(known, request.fills === true)(value);
    return Promise.resolve(problems.length > 0 ? { problems } : { problems, filled: value });
  },
};

export const argumentChecks = createArgumentChecks(schemaChecks, builtinDefinitions);
const { signal } = new AbortController();
/** What prepares and checks calls, for a caller that does not go away. */
export const callChecks = { check: argumentChecks.of({ tenant: 'default' }), signal };
