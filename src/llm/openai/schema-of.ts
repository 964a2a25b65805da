import type { ToolDescription } from '../../contracts/http/llm';
import { toFunctionParameters } from '../function-parameters';
import type { JsonSchema } from '../json-schema';

/** The JSON Schema of a tool's arguments, as a model gets it. Pure. */
export function schemaOf({ parameters }: ToolDescription): JsonSchema {
  return toFunctionParameters(parameters);
}
