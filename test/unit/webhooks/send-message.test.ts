import { randomBytes } from 'node:crypto';
import { createSecretBox } from '../../../src/secrets/secret-box';
import { sealTarget } from '../../../src/webhooks/sealed-target';
import { createMessageSender } from '../../../src/webhooks/send-message';

const secrets = createSecretBox(randomBytes(32));
const secret = `whsec_${randomBytes(32).toString('base64')}`;

function messageTo(host: string) {
  const address = { url: `https://${host}/hook`, secret };
  const target = sealTarget(secrets, address, { feedId: 'run/webhooks', messages: 'msg_1' });
  return { target, id: 'msg_1_end', body: '{}' };
}

test('a slow receiver takes five places, and all receivers together twenty', async () => {
  const answers: (() => void)[] = [];
  const fetch = {
    of: () => () =>
      new Promise<Response>((resolve) => {
        answers.push(() => resolve(new Response(null, { status: 204 })));
      }),
    close: () => Promise.resolve(),
  };
  const sender = createMessageSender({ fetch, secrets, now: Date.now });
  const send = (host: string) =>
    sender.send(messageTo(host), { tenant: 'default' }, new AbortController().signal);
  const hosts = ['a', 'b', 'c', 'd'].map((name) => `${name}.example`);
  const sent = hosts.flatMap((host) => Array.from({ length: 5 }, () => send(host)));
  expect(await send('a.example')).toBeUndefined();
  expect(await send('e.example')).toBeUndefined();
  for (const answer of answers.splice(0)) answer();
  expect((await Promise.all(sent)).map((each) => each?.status)).toEqual(sent.map(() => 204));
  const after = send('e.example');
  for (const answer of answers) answer();
  expect(await after).toEqual({ status: 204 });
});
