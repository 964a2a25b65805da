import type { ToolDescription } from '../types';
import { isPlainEnglishError } from '../errors';
import { JSON_READER } from '../known-tools';
import { queryJson } from '../json/query';
import { MAX_QUERY_LENGTH, understand } from '../plan/understand';
import type { Prompt } from './prompt';

const TOOLS: readonly ToolDescription[] = [JSON_READER];

/** `what is the name in {…}`: the value there. */
export function answerJson({ whole }: Prompt): string | undefined {
  if (whole.length > MAX_QUERY_LENGTH || !/[{[]/.test(whole)) return undefined;
  try {
    const { steps } = understand(whole, TOOLS);
    const args = steps[0]?.args;
    if (!args || steps.length > 1) return undefined;
    const found = queryJson(String(args['path']), JSON.parse(String(args['jsonString'])));
    if (found === undefined || found.length === 0) return undefined;
    const value = found.length === 1 ? found[0] : found;
    return typeof value === 'string' ? value : JSON.stringify(value);
  } catch (error) {
    if (isPlainEnglishError(error)) return undefined;
    throw error;
  }
}
