import { openAiClient } from '../support/openai';
import type { SharedService } from '../support/service';
import { useService } from '../support/use-service';

let service: SharedService;
beforeAll(async () => {
  service = await useService();
});
afterAll(() => service.stop());

test("OpenAI's own client talks to the agent, in one piece and streamed", async () => {
  const client = openAiClient(service.url);
  const request = {
    model: 'holdfast',
    messages: [{ role: 'user', content: 'What is 15 times 7?' }],
  } satisfies Parameters<typeof client.chat.completions.create>[0];
  const { choices } = await client.chat.completions.create(request);
  expect(choices[0]).toMatchObject({ message: { content: '15 × 7 = 105.' }, finish_reason: 'stop' });
  let streamedText = '';
  for await (const chunk of await client.chat.completions.create({ ...request, stream: true }))
    streamedText += chunk.choices[0]?.delta.content ?? '';
  expect(streamedText).toBe('15 × 7 = 105.');
});
