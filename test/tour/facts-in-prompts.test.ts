import { answerOf, ask, asked, classifiesAs, initializeAgent, playsAgent, textsIn } from '../support/agent';
import { findMemories, newUser } from '../support/memories';
import { chat, initializeMemoryChat } from '../support/memory-chat';
import { says } from '../support/model-server';
import type { ModelService } from '../support/model-service';
import { useModelService } from '../support/use-service';

let service: ModelService;

beforeAll(async () => {
  service = await useModelService();
  await initializeAgent(service);
  await initializeMemoryChat(service);
});
afterAll(() => service.stop());

/** A user who has changed the town in a second session, with replies that repeat what was said. */
async function movedUser(): Promise<string> {
  const userId = newUser();
  service.hosted.reset();
  service.hosted.otherwise(playsAgent({ answer: says('So you live in Leeds.') }));
  await answerOf(ask(service, 'I live in Leeds.', { userId, sessionId: 'first' }));
  await answerOf(ask(service, 'I live in York now.', { userId, sessionId: 'second' }));
  return userId;
}

const today = new Date().toISOString().slice(0, 4);

test('a model that answers is told what holds, and no reply that only repeats what held', async () => {
  const userId = await movedUser();
  const turn = { userId, sessionId: 'third' };
  service.hosted.otherwise(playsAgent({ answer: says('In York.') }));
  await answerOf(ask(service, 'Where do I live?', turn));
  const texts = textsIn(asked(service.hosted.requests, 'answer').at(-1)!).join('\n');
  expect(texts).toMatch(new RegExp(`<facts>\\n<fact since="${today}-\\d\\d-\\d\\d">home: York</fact>`));
  expect(texts).not.toContain('Leeds');
});

test('so is one that plans, and one of memory chat', async () => {
  const userId = await movedUser();
  service.hosted.otherwise(
    playsAgent({ classify: classifiesAs('hybrid', ['weather']), plan: says('York it is.') }),
  );
  await answerOf(ask(service, 'What is the weather where I live?', { userId, sessionId: 'third' }));
  const planned = textsIn(asked(service.hosted.requests, 'plan').at(-1)!).join('\n');
  expect(planned).toContain('home: York');
  expect(planned).not.toContain('Leeds');
  await chat(service, { userId, sessionId: 'fourth', message: 'Where do I live?' });
  expect(textsIn(service.hosted.requests.at(-1)!).join('\n')).toContain('home: York');
});

test('a turn of one session alone gets no facts of others', async () => {
  const userId = await movedUser();
  await answerOf(ask(service, 'Where do I live?', { userId, sessionId: 'third', crossSessionMemory: false }));
  expect(textsIn(asked(service.hosted.requests, 'answer').at(-1)!).join('\n')).not.toContain('York');
});

test('a reply of a model that has no answer is not recalled', async () => {
  const userId = newUser();
  service.hosted.reset();
  service.hosted.otherwise(playsAgent({ answer: says("I'm sorry, I don't know your violin teacher.") }));
  await answerOf(ask(service, 'Who is my violin teacher?', { userId, sessionId: 'first' }));
  await answerOf(ask(service, 'My violin teacher, who is it?', { userId, sessionId: 'second' }));
  const texts = textsIn(asked(service.hosted.requests, 'answer').at(-1)!).join('\n');
  expect(texts).not.toContain('sorry');
  // It is part of the session that it was given in.
  const found = await findMemories(service, userId, 'violin teacher');
  expect(JSON.stringify(found.body.data.episodic)).toContain('sorry');
});
