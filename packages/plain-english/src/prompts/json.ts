import type { ToolDescription } from '../../../../src/contracts/llm';
import { isHoldfastError } from '../../../../src/errors';
import { jsonReaderDeclaration } from '../../../../src/tools/builtin/declarations';
import { compileJsonQuery } from '../../../../src/tools/builtin/json-query';
import { MAX_QUERY_LENGTH, understand } from '../plan/understand';
import type { Prompt } from './prompt';

const TOOLS: readonly ToolDescription[] = [jsonReaderDeclaration];

/** `what is the name in {…}`: the value there. */
export function answerJson({ whole }: Prompt): string | undefined {
  if (whole.length > MAX_QUERY_LENGTH || !/[{[]/.test(whole)) return undefined;
  try {
    const { steps } = understand(whole, TOOLS);
    const args = steps[0]?.args;
    if (!args || steps.length > 1) return undefined;
    const found = compileJsonQuery(String(args['path'])).evaluate(JSON.parse(String(args['jsonString'])));
    if (found.length === 0) return undefined;
    const value = found.length === 1 ? found[0] : found;
    return typeof value === 'string' ? value : JSON.stringify(value);
  } catch (error) {
    if (isHoldfastError(error)) return undefined;
    throw error;
  }
}
