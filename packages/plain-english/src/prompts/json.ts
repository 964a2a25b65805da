import { JSON_READER } from '../known-tools';
import { queryJson } from '../json/query';
import { attempt } from '../plan/problem';
import { MAX_PROMPT_LENGTH, understand } from '../plan/understand';
import type { Prompt } from './prompt';

/** `what is the name in {…}`: the value there. */
export function answerJson({ whole }: Prompt): string | undefined {
  if (whole.length > MAX_PROMPT_LENGTH || !/[{[]/.test(whole)) return undefined;
  const { value: plan } = attempt(() => understand(whole, [JSON_READER], [], MAX_PROMPT_LENGTH));
  const args = plan?.steps[0]?.args;
  if (!args || plan.steps.length > 1) return undefined;
  const found = queryJson(String(args['path']), JSON.parse(String(args['jsonString'])));
  if (found === undefined || found.length === 0) return undefined;
  const value = found.length === 1 ? found[0] : found;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
