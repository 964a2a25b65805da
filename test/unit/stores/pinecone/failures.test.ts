import type { VectorIndex } from '../../../../src/stores/memory/vector-index';
import type { PineconeIndexOptions } from '../../../../src/stores/pinecone/pinecone-index';
import { entry, unit } from '../../../contract/support/vector-index-harness';
import { INDEX_NAME, pineconeIndexAt } from '../../../support/pinecone-index';
import {
  type Behaviour,
  drops,
  fails,
  hangs,
  limitsRate,
  losesAnswer,
  serves,
  slowly,
} from '../../../support/pinecone-server/behaviours';
import { API_KEY, type PineconeServer, startPineconeServer } from '../../../support/pinecone-server/server';
import { waitFor } from '../../../support/wait';

const QUERY = { userId: 'ann', kind: 'semantic', spaceId: 1, vector: unit(1, 0, 0), limit: 5 } as const;

/** `STORE_UNAVAILABLE` with the details of the contract. */
function unavailable(reason: string | RegExp, retryable = true): object {
  return {
    code: 'STORE_UNAVAILABLE',
    retryable,
    details: { service: 'vectordb', reason: expect.stringMatching(reason) as string },
  };
}

describe('a Pinecone that fails', () => {
  let server: PineconeServer;
  let index: VectorIndex;
  const indexes: VectorIndex[] = [];

  const open = (given?: Partial<PineconeIndexOptions>): VectorIndex => {
    const opened = pineconeIndexAt(server, given);
    indexes.push(opened);
    return opened;
  };

  beforeEach(async () => {
    server = await startPineconeServer();
    await server.addIndex({ name: INDEX_NAME });
    index = open();
    await index.upsert(1, [entry('a')]);
  });

  afterEach(async () => {
    for (const opened of indexes.splice(0)) await opened.close();
    await server.close();
  });

  it.each([
    ['a cut connection', drops()],
    ['500', fails(500, { code: 13, message: 'internal' })],
    ['502', fails(502)],
    ['503', fails(503)],
    ['504', fails(504)],
    ['429', limitsRate('0')],
    ['408', fails(408)],
  ])('once, by %s, is asked again', async (_, behaviour) => {
    server.script(behaviour);
    expect(await index.search(QUERY)).toHaveLength(1);
    expect(server.count('POST /query')).toBe(2);
  });

  it('by losing its answer has done what it was asked for, and a repeat changes nothing', async () => {
    server.script(losesAnswer());
    await index.upsert(1, [entry('b', { revision: 3 })]);
    expect(server.count('POST /vectors/upsert')).toBe(3);
    expect(await index.visible(1, 'ann', { a: 1, b: 3 })).toEqual(new Set(['a', 'b']));
    server.script(losesAnswer());
    await index.removeUser(1, 'ann');
    expect(await index.search(QUERY)).toEqual([]);
  });

  it('again and again is given up after five attempts', async () => {
    server.otherwise(fails(503));
    await expect(index.search(QUERY)).rejects.toMatchObject(unavailable(/^Pinecone answered 503$/));
    expect(server.count('POST /query')).toBe(5);
  });

  it('is waited for as long as it says', async () => {
    server.script(limitsRate('1'));
    const before = performance.now();
    await index.ping();
    // A timer may fire up to a millisecond early.
    expect(performance.now() - before).toBeGreaterThan(998);
  });

  it('is not waited for beyond the time limit, and says when to come again', async () => {
    // A wait of an hour would exceed the time limit of the test.
    server.script(limitsRate('3600'));
    const failure = index.search(QUERY);
    await expect(failure).rejects.toMatchObject({
      ...unavailable(/^too many requests$/),
      retryAfterMs: 3_600_000,
    });
    expect(server.count('POST /query')).toBe(1);
  });

  it('is waited for until the time limit when it does not answer, whatever is asked', async () => {
    const hurried = open({ timeoutMs: 200 });
    await hurried.ping();
    server.otherwise(hangs());
    for (const call of [
      () => hurried.search(QUERY),
      () => hurried.upsert(1, [entry('a')]),
      () => hurried.remove(1, 'ann', ['a']),
      () => hurried.removeUser(1, 'ann'),
      () => hurried.visible(1, 'ann', { a: 1 }),
      () => hurried.ping(),
    ]) {
      const before = server.requests.length;
      await expect(call()).rejects.toMatchObject(unavailable(/^Pinecone did not answer within 200 ms$/));
      // The limit applies to the whole call: a second attempt does not get another 200 ms.
      expect(server.requests.length - before).toBeLessThanOrEqual(1);
    }
  });

  it('slowly, but within the time limit, has not failed', async () => {
    server.script(slowly(150));
    await expect(index.ping()).resolves.toBeUndefined();
  });

  it('is left alone as soon as the caller gives up, also while a retry is waited for', async () => {
    let connection = 'open';
    const hangsUntilClosed: Behaviour = (_request, response) =>
      void response.on('close', () => (connection = 'closed'));
    for (const behaviour of [hangsUntilClosed, limitsRate('5')]) {
      server.script(behaviour);
      const before = server.requests.length;
      const caller = new AbortController();
      const failure = index.search(QUERY, caller.signal);
      void failure.catch(() => undefined);
      await waitFor(() => server.requests.length > before, { what: 'the request to arrive' });
      const reason = new Error('enough');
      caller.abort(reason);
      await expect(failure).rejects.toBe(reason);
    }
    await waitFor(() => connection === 'closed', {
      what: 'the connection of the first request to be closed',
    });
  });

  it('is left alone when the index is closed', async () => {
    server.script(hangs());
    const failure = index.search(QUERY);
    void failure.catch(() => undefined);
    await waitFor(() => server.count('POST /query') === 1, { what: 'the request to arrive' });
    await index.close();
    await expect(failure).rejects.toMatchObject(unavailable(/^it is closed$/));
  });

  it('is used again as soon as it is back, by the same index', async () => {
    server.otherwise(drops());
    await expect(index.search(QUERY)).rejects.toMatchObject(unavailable(/closed before the response/));
    await expect(index.upsert(1, [entry('b')])).rejects.toMatchObject(unavailable(/cannot be reached/));
    server.otherwise(serves());
    await index.upsert(1, [entry('b')]);
    expect(await index.search(QUERY)).toHaveLength(2);
  });

  it('in one batch of several fails the call, and the repeat completes it', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => entry(`id-${at}`));
    const refused = fails(422, { code: 3, message: 'not this one' });
    server.script(serves(), refused);
    await expect(index.upsert(1, many)).rejects.toMatchObject(unavailable(/\(422\): not this one$/, false));
    await index.upsert(1, many);
    const revisions = Object.fromEntries(many.map(({ id }) => [id, 1]));
    expect((await index.visible(1, 'ann', revisions)).size).toBe(3_000);
  });

  it('that is not there is told as that', async () => {
    const gone = await startPineconeServer();
    await gone.close();
    const refusedConnection = open({ controllerHostUrl: gone.url });
    await expect(refusedConnection.ping()).rejects.toMatchObject(unavailable(/connection refused$/));
    const noHost = open({ controllerHostUrl: 'http://pinecone.invalid', timeoutMs: 2_000 });
    await expect(noHost.ping()).rejects.toMatchObject(unavailable(/no such host|cannot be resolved/));
  });

  it('that answers something else than its API is told as that', async () => {
    server.script((_request, response) => void response.end('<html>'));
    await expect(index.search(QUERY)).rejects.toMatchObject(
      unavailable(/^its response does not follow the Pinecone API$/),
    );
  });
});

describe('a refused key', () => {
  const WRONG = 'pcsk_4wrong_Key';
  let server: PineconeServer;

  beforeEach(async () => {
    server = await startPineconeServer();
  });

  afterEach(() => server.close());

  it('is told with the setting to look at, is not tried again at once, and may be right later', async () => {
    const index = pineconeIndexAt(server, { apiKey: WRONG });
    await expect(index.ping()).rejects.toMatchObject(unavailable(/refuses the API key.*PINECONE_API_KEY/));
    expect(server.requests).toHaveLength(1);
    await index.close();
  });

  it.each([400, 401, 403, 404, 500])('is in no error, though a %i repeats it', async (status) => {
    const index = pineconeIndexAt(server);
    server.otherwise((request, response) => {
      const message = `no: ${String(request.headers['api-key'])} is not good enough`;
      return fails(status, { code: 7, message })(request, response, () => undefined);
    });
    const error: unknown = await index.ping().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    const { message, details, stack, cause } = error as Error & { details: object };
    expect(JSON.stringify([message, details, stack, String(cause)])).not.toContain(API_KEY);
    await index.close();
  });
});
