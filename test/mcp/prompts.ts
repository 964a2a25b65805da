import { inputRequired, type Prompt, type PromptMessage } from '@modelcontextprotocol/server';
import { askFor, responsesOf } from './input-requests';
import { PICTURE } from './media';
import type { PromptSource } from '../../packages/mcp/endpoint/sources';

type Content = PromptMessage['content'];
type Inputs = Readonly<Record<string, string>>;

/** The prompt that asks the client for input first. */
const ASKING = 'test_input_required_result_prompt';

/** The contents of the messages of a prompt, by its name. */
const CONTENTS: Readonly<Record<string, (inputs: Inputs) => Content[]>> = {
  test_simple_prompt: () => [text('This is a simple prompt for testing.')],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    text(`Prompt with arguments: arg1='${String(arg1)}', arg2='${String(arg2)}'`),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri = '' }) => [
    {
      type: 'resource',
      resource: {
        uri: resourceUri,
        mimeType: 'text/plain',
        text: 'Embedded resource content for testing.',
      },
    },
    text('Please process the embedded resource above.'),
  ],
  test_prompt_with_image: () => [
    { type: 'image', data: PICTURE, mimeType: 'image/png' },
    text('Please analyze the image above.'),
  ],
  [ASKING]: () => [text('The context is known.')],
};

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
};

export const promptFixtures: PromptSource = {
  list: () => Promise.resolve(Object.keys(CONTENTS).map(toPrompt)),
  get(name, inputs, exchange) {
    const contents = CONTENTS[name];
    if (contents === undefined) return Promise.resolve(undefined);
    if (name === ASKING && responsesOf(exchange)['user_context'] === undefined) {
      const question = askFor('What context should the prompt use?', { context: { type: 'string' } });
      return Promise.resolve(inputRequired({ inputRequests: { user_context: question } }));
    }
    return Promise.resolve({ messages: contents(inputs).map((content) => ({ role: 'user', content })) });
  },
};

function toPrompt(name: string): Prompt {
  const inputs = ARGUMENTS[name] ?? [];
  return {
    name,
    description: `The fixture ${name}`,
    arguments: inputs.map((input) => ({ name: input, required: true })),
  };
}

function text(value: string): Content {
  return { type: 'text', text: value };
}
