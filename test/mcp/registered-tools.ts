import { PICTURE, SOUND } from './media';

const TOOLS = [
  returning('test_simple_text', 'This is a simple text response for testing.'),
  returning('test_image_content', {
    content: [{ type: 'image', data: PICTURE, mimeType: 'image/png' }],
  }),
  returning('test_audio_content', {
    content: [{ type: 'audio', data: SOUND, mimeType: 'audio/wav' }],
  }),
  returning('test_embedded_resource', {
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  returning('test_multiple_content_types', {
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      { type: 'image', data: PICTURE, mimeType: 'image/png' },
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  returning('test_tool_with_progress', 'done'),
  {
    name: 'test_error_handling',
    parameters: {},
    execute: "() => { throw new Error('This tool intentionally returns an error for testing'); }",
  },
  { name: 'greet', parameters: { name: 'string' }, execute: '({ name }) => `Hello, ${name}!`' },
  {
    name: 'confirm_delete',
    parameters: { filename: { type: 'string', required: false } },
    execute: '({ filename }) => `deleted ${filename}`',
    requiresApproval: true,
  },
];

/** Bodies of `POST /api/tools/register`: fixtures that return a value, fail, or wait for an approval. */
export const REGISTERED_TOOLS = TOOLS.map((tool) => ({ ...tool, description: `The fixture ${tool.name}` }));

function returning(name: string, value: unknown) {
  return { name, parameters: {}, execute: `() => (${JSON.stringify(value)})` };
}

function resource(uri: string, mimeType: string, text: string): object {
  return { type: 'resource', resource: { uri, mimeType, text } };
}
