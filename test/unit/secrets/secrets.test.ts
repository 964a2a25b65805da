import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { loadKey } from '../../../src/secrets/load-key';
import { createSecretBox } from '../../../src/secrets/secret-box';
import { makeTempDir, type TempDir } from '../../support/temp-dir';

const unreadable = expect.objectContaining({ code: 'STORE_UNAVAILABLE' });
const unusable = expect.objectContaining({ code: 'CONFIGURATION' });

describe('a secret box', () => {
  const box = createSecretBox(randomBytes(32));

  test('opens what it sealed, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, purpose) => {
        expect(box.open(box.seal(secret, purpose), purpose)).toBe(secret);
      }),
    );
  });

  test('never seals the same way twice, and shows nothing of the secret', () => {
    const sealed = box.seal('sk-secret', 'hosted');
    expect(sealed).not.toBe(box.seal('sk-secret', 'hosted'));
    expect(Buffer.from(sealed.slice(3), 'base64url').toString('latin1')).not.toContain('sk-secret');
  });

  test('opens nothing of another key or purpose', () => {
    const sealed = box.seal('secret', 'hosted');
    expect(() => createSecretBox(randomBytes(32)).open(sealed, 'hosted')).toThrow(unreadable);
    expect(() => box.open(sealed, 'graph')).toThrow(unreadable);
  });

  test('opens nothing that was altered', () => {
    const sealed = box.seal('secret', 'p');
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    for (let at = 0; at < bytes.length; at += 1) {
      const altered = Buffer.from(bytes);
      altered[at] = (altered[at] ?? 0) ^ 1;
      expect(() => box.open(`v1.${altered.toString('base64url')}`, 'p')).toThrow(unreadable);
    }
    for (const text of ['', 'v1', 'v1.', 'v2.abc', 'secret']) {
      expect(() => box.open(text, 'p')).toThrow(unreadable);
    }
  });

  test('takes keys of 32 bytes only', () => {
    expect(() => createSecretBox(randomBytes(16))).toThrow('32 bytes');
  });
});

describe('the key', () => {
  let folder: TempDir;
  let file: string;
  beforeEach(() => {
    folder = makeTempDir();
    file = join(folder.path, 'new', 'secrets.key');
  });
  afterEach(() => folder.remove());

  test('is made once, for all who start at the same time, and readable by its owner alone', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => loadKey({ file })));
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
    expect(await loadKey({ file })).toEqual(keys[0]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder.path, 'new'))).toEqual(['secrets.key']);
  });

  test.each(['hex', 'base64'] as const)('may be a setting in %s, and then no file is made', async (form) => {
    const key = randomBytes(32);
    expect(await loadKey({ setting: key.toString(form), file })).toEqual(key);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test('that is none is told without showing it', async () => {
    await expect(loadKey({ setting: 'hunter2', file })).rejects.toEqual(unusable);
    await expect(loadKey({ setting: 'hunter2', file })).rejects.toThrow(
      /^The setting SECRETS_KEY(?!.*hunter2)/,
    );
    mkdirSync(join(folder.path, 'new'));
    writeFileSync(file, 'short');
    await expect(loadKey({ file })).rejects.toEqual(unusable);
    expect(readFileSync(file, 'utf8')).toBe('short');
  });

  test('in a place that cannot be used is told', async () => {
    writeFileSync(join(folder.path, 'new'), 'a file');
    await expect(loadKey({ file })).rejects.toEqual(unusable);
  });
});
