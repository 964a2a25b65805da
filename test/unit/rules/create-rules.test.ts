import * as plainEnglish from '@holdfast/plain-english';
import { INTENT_TYPES } from '../../../src/contracts/intent-types';
import { builtinDefinitions } from '../../../src/tools/builtin/declarations';
import { rules } from '../../support/rules';
import { parametersOf } from '../../../src/contracts/http/tool-schemas';

const tools = builtinDefinitions.map(({ inputSchema, ...tool }) => ({
  ...tool,
  parameters: parametersOf(inputSchema),
}));

describe('what the package knows of the service by itself', () => {
  test('are the built-in tools as they are declared', () => {
    expect(plainEnglish.KNOWN_TOOLS).toEqual(tools);
  });

  test('are the intents in their order', () => {
    expect(plainEnglish.INTENT_TYPES).toEqual(INTENT_TYPES);
  });
});

test('a sentence that is not understood is an error of the service, with what is missing', () => {
  const messages = [{ role: 'user', content: 'multiply 6' }] as const;
  const read = () => rules.sentences.chooseNext({ messages, tools, choice: 'auto' });
  expect(read).toThrow(
    expect.objectContaining({
      name: 'HoldfastError',
      code: 'QUERY_NOT_UNDERSTOOD',
      details: expect.objectContaining({ field: 'query', message: expect.any(String) }),
    }),
  );
});

test('a text that asks for more work than the rules do is such an error wherever rules answer, and is not tried again', () => {
  const content = '$.'.repeat(500);
  const messages = [{ role: 'user', content }] as const;
  const read = () => rules.sentences.chooseNext({ messages, tools, choice: 'auto' });
  const refusal = expect.objectContaining({
    code: 'QUERY_NOT_UNDERSTOOD',
    retryable: false,
    details: expect.objectContaining({ settings: ['OPENAI_API_KEY', 'LOCAL_LLM_BASE_URL'] }),
  });
  expect(read).toThrow(refusal);
  expect(() => rules.sentences.findJsonValues('a '.repeat(200_000))).toThrow(refusal);
});
