import { z } from 'zod';
import { workflowDefinitionSchema } from '../../src/contracts/http/workflows';

/** Where editors find the JSON Schema of definitions. */
export const DEFINITION_SCHEMA_PATH = '/api/workflow/schema';

/** Builds the JSON Schema of the definitions of workflows, as callers write them. */
export function definitionSchema(): Readonly<Record<string, unknown>> {
  const schema = workflowDefinitionSchema.meta({
    title: 'Workflow of holdfast',
    description: 'Typed steps that refer to inputs and to one another',
  });
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
}
