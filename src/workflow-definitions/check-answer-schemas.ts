import type { HoldfastError } from '../base/errors';
import type { WorkflowStep } from '../contracts/http/workflows';
import { jsonLength } from '../contracts/json-length';
import { type AnswerSchemas, MAX_ANSWER_SCHEMA } from '../llm/answer-schemas';
import { hasExpressions } from '../templates/resolve';
import { workflowProblem } from './problems';

const FIELD = 'config.schema';

/** Finds the schemas for the answers of models that are too long, have templates, or cannot be used. */
export async function* answerSchemaProblems(
  steps: readonly WorkflowStep[],
  schemas: Pick<AnswerSchemas, 'findFault'>,
): AsyncGenerator<HoldfastError, void> {
  for (const { id, type, config } of steps) {
    if (type !== 'llm_call' || config.schema === undefined) continue;
    const { schema } = config;
    if (jsonLength(schema, MAX_ANSWER_SCHEMA) > MAX_ANSWER_SCHEMA) {
      yield workflowProblem(id, FIELD, `must have at most ${MAX_ANSWER_SCHEMA} characters of JSON`);
    } else if (hasExpressions(schema)) {
      yield workflowProblem(id, FIELD, 'has to be known before the run; it may have no templates');
    } else {
      const fault = await schemas.findFault(schema);
      if (fault !== undefined) yield workflowProblem(id, FIELD, `cannot be used: ${fault}`);
    }
  }
}
