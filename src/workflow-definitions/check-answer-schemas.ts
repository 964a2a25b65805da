import type { WorkflowStep } from '../contracts/http/workflows';
import { jsonLength } from '../contracts/json-length';
import type { AnswerSchemas } from '../llm/answer-schemas';
import { hasExpressions } from '../templates/resolve';
import { workflowProblem } from './problems';

/** Characters of JSON of a schema, because each call sends it to a model. */
const MAX_SCHEMA_LENGTH = 32_768;
const FIELD = 'config.schema';

/**
 * Checks the schemas that steps have for the answers of models.
 * @throws HoldfastError `WORKFLOW_INVALID` for the first schema that is too long, has templates, or cannot be used
 */
export async function checkAnswerSchemas(
  steps: readonly WorkflowStep[],
  schemas: Pick<AnswerSchemas, 'findFault'>,
): Promise<void> {
  for (const { id, type, config } of steps) {
    if (type !== 'llm_call' || config.schema === undefined) continue;
    const { schema } = config;
    if (jsonLength(schema, MAX_SCHEMA_LENGTH) > MAX_SCHEMA_LENGTH)
      throw workflowProblem(id, FIELD, `must have at most ${MAX_SCHEMA_LENGTH} characters of JSON`);
    if (hasExpressions(schema))
      throw workflowProblem(id, FIELD, 'has to be known before the run; it may have no templates');
    const fault = await schemas.findFault(schema);
    if (fault !== undefined) throw workflowProblem(id, FIELD, `cannot be used: ${fault}`);
  }
}
