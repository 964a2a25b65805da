import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { webhookSecretSchema } from '../../../src/contracts/http/webhooks';
import { createSecretBox } from '../../../src/secrets/secret-box';
import { openTarget, sealTarget } from '../../../src/webhooks/sealed-target';
import { signMessage } from '../../../src/secrets/standard-webhooks';

const secretOf = (bytes: number): string => `whsec_${randomBytes(bytes).toString('base64')}`;

test('a signature is that of the reference implementation', () => {
  const secret = secretOf(24);
  const timestamp = Math.floor(Date.now() / 1_000);
  for (const body of ['{}', '{"text":"ünïcode \u{1F642}"}']) {
    const signature = signMessage(secret, { id: 'msg_1', timestamp, body });
    const reference = new Webhook(secret);
    expect(signature).toBe(reference.sign('msg_1', new Date(timestamp * 1_000), body));
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    };
    expect(reference.verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => reference.verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
  }
});

test('two secrets give two signatures', () => {
  const [old, fresh] = [secretOf(32), secretOf(32)];
  const message = { id: 'msg_1', timestamp: 1_700_000_000, body: '{}' };
  expect(signMessage(`${fresh} ${old}`, message)).toBe(
    `${signMessage(fresh, message)} ${signMessage(old, message)}`,
  );
});

test.each([
  [secretOf(24), true],
  [secretOf(64), true],
  [`${secretOf(32)} ${secretOf(33)}`, true],
  [secretOf(23), false],
  [secretOf(65), false],
  [secretOf(32).replace('whsec_', ''), false],
  [secretOf(32).replace(/=+$/, ''), false],
  [`${secretOf(32)}  ${secretOf(32)}`, false],
  [`${secretOf(32)} ${secretOf(32)} ${secretOf(32)}`, false],
  ['', false],
])('%s is a secret: %s', (text, isOne) => {
  expect(webhookSecretSchema.safeParse(text).success).toBe(isOne);
});

test('what is sealed for one feed cannot be opened for another one', () => {
  const secrets = createSecretBox(randomBytes(32));
  const address = { url: 'https://example.com:8443/hook?key=1', secret: secretOf(32) };
  const target = sealTarget(secrets, address, { feedId: 'run/webhooks', messages: 'msg_1' });
  expect(JSON.stringify(target)).not.toContain(address.secret);
  expect(target.host).toBe('example.com:8443');
  expect(openTarget(secrets, target)).toEqual(address);
  expect(() => openTarget(secrets, { ...target, feedId: 'other/webhooks' })).toThrow(
    expect.objectContaining({ code: 'STORE_UNAVAILABLE' }),
  );
});
