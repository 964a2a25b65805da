import { S3Client, CreateMultipartUploadCommand } from '@aws-sdk/client-s3';
import type { BlobStore } from '../../src/stores/blobs/blob-store';
import { S3Blobs } from '../../src/stores/blobs/s3/s3-blobs';
import type { S3Settings } from '../../src/stores/blobs/s3/settings';
import { freePort } from '../support/free-port';
import { describeWithS3, S3_WAIT_MS, type S3Server, startS3 } from '../support/s3-server';
import { describeBlobStore } from './blob-store';

describeWithS3('on a real server', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3();
  }, S3_WAIT_MS);
  afterAll(() => server.stop());

  describeBlobStore('S3', async () => {
    const opened: BlobStore[] = [];
    const settings = { ...server.settings, prefix: 'some/prefix/' };
    return {
      connect() {
        const blobs = new S3Blobs(settings);
        opened.push(blobs);
        return blobs;
      },
      async leaveDraft(key) {
        const client = clientOf(settings);
        const target = { Bucket: settings.bucket, Key: settings.prefix + key };
        await client.send(new CreateMultipartUploadCommand(target));
        client.destroy();
      },
      async dispose() {
        for (const blobs of opened) await blobs.close();
      },
    };
  });

  describe('S3 that is away, or refuses', () => {
    let blobs: S3Blobs;

    beforeAll(() => {
      blobs = new S3Blobs(server.settings);
    });
    afterAll(() => blobs.close());

    async function failure(action: () => Promise<unknown>): Promise<Error & { details: { reason: string } }> {
      const error: unknown = await action().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', retryable: true });
      expect(shown(error)).not.toMatch(/a secret of tests|another secret|Signature=/);
      return error as Error & { details: { reason: string } };
    }

    test('a server that is gone is told at once, and used again when it is back', async () => {
      await blobs.put('a', Buffer.from('here'));
      await server.kill();
      const error = await failure(() => blobs.get('a'));
      expect(error.details.reason).toMatch(
        /^S3 cannot be reached: (connection refused|the connection was closed)/,
      );
      expect(error.message).toMatch(/\(after 3 attempts\)$/);
      expect((error.cause as Error).message).toContain(`${server.settings.endpoint}, bucket `);
      await failure(() => blobs.ping());
      await server.restart();
      expect((await blobs.get('a'))?.toString()).toBe('here');
    });

    test('one that does not answer is given up within bounds, also by its caller', async () => {
      await blobs.put('a', Buffer.from('here'));
      await server.freeze();
      try {
        const [read, written] = await Promise.all([
          failure(() => blobs.get('a')),
          failure(() => blobs.put('b', Buffer.alloc(100_000))),
        ]);
        expect([read.details.reason, written.details.reason]).toEqual(
          Array(2).fill('S3 does not answer in time'),
        );
        const gone = new AbortController();
        setTimeout(() => gone.abort(new Error('the caller has gone')), 50);
        await expect(blobs.get('a', gone.signal)).rejects.toThrow('the caller has gone');
      } finally {
        server.thaw();
      }
      expect((await blobs.get('a'))?.toString()).toBe('here');
    });

    test.each<[string, Partial<S3Settings>, RegExp]>([
      ['bucket', { bucket: 'no-such-bucket' }, /S3_BUCKET/],
      [
        'access key',
        { credentials: { accessKeyId: 'nobody', secretAccessKey: 'another secret' } },
        /S3_ACCESS_KEY_ID|credentials/,
      ],
      [
        'secret',
        { credentials: { accessKeyId: 'tests', secretAccessKey: 'another secret' } },
        /S3_SECRET_ACCESS_KEY|credentials/,
      ],
    ])('a %s that is wrong is told as such', async (_what, wrong, words) => {
      const refused = new S3Blobs({ ...server.settings, ...wrong });
      await expect(refused.ping()).rejects.toMatchObject({
        code: 'CONFIGURATION',
        message: expect.stringMatching(words) as string,
      });
      expect((await failure(() => refused.get('a'))).message).toMatch(words);
      expect((await failure(() => refused.put('a', Buffer.from('a')))).message).toMatch(words);
      await refused.close();
    });

    test('an address where nobody is, and a store that was closed', async () => {
      const nowhere = new S3Blobs({ ...server.settings, endpoint: `http://127.0.0.1:${await freePort()}` });
      await failure(() => nowhere.ping());
      await nowhere.close();
      expect((await failure(() => nowhere.get('a'))).details.reason).toBe('it is closed');
    });
  });
});

function clientOf({ endpoint, region, credentials, forcePathStyle }: S3Settings): S3Client {
  return new S3Client({
    forcePathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
    ...(credentials === undefined ? {} : { credentials }),
  });
}

/** All text of an error that a log could contain. */
function shown(error: unknown): string {
  const texts: string[] = [];
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    texts.push(at.stack ?? '', JSON.stringify(at, Object.getOwnPropertyNames(at)));
  return texts.join('\n');
}
