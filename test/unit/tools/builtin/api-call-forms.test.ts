import type { RequestListener } from 'node:http';
import { createEgress } from '../../../../src/egress/create-egress';
import { createApiCall } from '../../../../src/tools/builtin/api-call';
import { checkLiterals } from '../../../../src/tools/builtin/check-literals';
import { nextInLinks } from '../../../../src/tools/builtin/next-page';
import type { ToolArguments, ToolContext } from '../../../../src/tools/tool';
import { rejection, useCleanup } from '../../egress/cleanup';
import { startStub, type StubServer } from '../../egress/stub-server';
import { toolContext } from './context';
import { shownHeaders } from '../../../../src/tools/builtin/headers';

const release = useCleanup();

interface Output {
  readonly status: number;
  readonly data: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly encoding?: string;
  readonly pages?: number;
  readonly hasMore?: boolean;
}

async function call(args: ToolArguments, context: Partial<ToolContext> = {}): Promise<Output> {
  const egress = createEgress({ allowPrivate: true, maxBodyBytes: 100_000 });
  release(() => egress.close());
  const tool = createApiCall(
    egress,
    { rewriteJson: () => Promise.resolve(undefined) },
    { queryJson: () => Promise.reject(new Error('not expected')) },
  );
  return (await tool.run(args, toolContext(context))).value as Output;
}

async function stub(answer: RequestListener): Promise<StubServer> {
  const server = await startStub(answer);
  release(() => server.close());
  return server;
}

const answering =
  (contentType: string | undefined, body: string | Buffer): RequestListener =>
  (_, response) => {
    if (contentType !== undefined) response.setHeader('content-type', contentType);
    response.end(body);
  };

describe('the body that is sent', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
  const send = async (args: ToolArguments): Promise<StubServer['seen'][number] | undefined> => {
    const server = await stub(answering(undefined, ''));
    await call({ url: server.url, method: 'POST', ...args });
    return server.seen[0];
  };

  test('is a form where its type says so', async () => {
    const body = { grant_type: 'client_credentials', scope: 'a b', id: [1, 'ä&'], on: true, none: null };
    const sent = await send({ headers: FORM, body });
    expect(sent?.body).toBe('grant_type=client_credentials&scope=a+b&id=1&id=%C3%A4%26&on=true');
    expect((await send({ headers: FORM, body: 'a=b' }))?.body).toBe('a=b');
  });

  test.each<[unknown, string]>([
    [{ a: { b: 1 } }, 'args.body.a'],
    [{ a: [[1]] }, 'args.body.a'],
    [[1], 'args.body'],
    [7, 'args.body'],
  ])('%j has no such form', async (body, field) => {
    const server = await stub(answering(undefined, ''));
    const error = await rejection(call({ url: server.url, method: 'POST', headers: FORM, body }));
    expect(error).toMatchObject({ code: 'VALIDATION', details: { field } });
    expect(server.seen).toHaveLength(0);
  });

  test('is a multipart form of fields and files, with the same bytes at each attempt', async () => {
    const form = [
      { name: 'title', content: 'Über' },
      {
        name: 'file',
        filename: 'a"b.bin',
        contentType: 'image/png',
        encoding: 'base64',
        content: 'AAEC',
      },
      { name: 'note', filename: 'note.txt', content: 'text' },
    ];
    const [one, two] = [await send({ form }), await send({ form })];
    expect([two?.body, two?.headers['content-type']]).toEqual([one?.body, one?.headers['content-type']]);
    const type = one?.headers['content-type'] ?? '';
    const boundary = /^multipart\/form-data; boundary=(form-[0-9a-f]{40})$/.exec(type)?.[1] ?? '';
    expect(one?.body.split(`--${boundary}`)).toEqual([
      '',
      '\r\nContent-Disposition: form-data; name="title"\r\n\r\nÜber\r\n',
      '\r\nContent-Disposition: form-data; name="file"; filename="a%22b.bin"\r\n' +
        'Content-Type: image/png\r\n\r\n\u0000\u0001\u0002\r\n',
      '\r\nContent-Disposition: form-data; name="note"; filename="note.txt"\r\n' +
        'Content-Type: text/plain; charset=utf-8\r\n\r\ntext\r\n',
      '--\r\n',
    ]);
  });

  test.each<[ToolArguments, string]>([
    [{ form: [] }, 'args.form'],
    [{ form: [{ name: 'a', content: {} }] }, 'args.form[0].content'],
    [{ form: [{ name: 'a', content: '!', encoding: 'base64' }] }, 'args.form[0].content'],
    [{ form: [{ name: 'a', content: '', contentType: 'a/b\r\nX: 1' }] }, 'args.form[0].contentType'],
    [{ form: [{ name: 'a', content: '', contentType: 'a/b\r\n\r\n;x' }] }, 'args.form[0].contentType'],
    [{ form: [{ name: 'a', content: '', file: 'x' }] }, 'args.form[0].file'],
    [{ form: [{ name: 'a', content: '' }], body: 'b' }, 'args.form'],
    [{ form: [{ name: 'a', content: '' }], headers: FORM }, 'args.headers.content-type'],
    [{ body: {}, headers: { 'content-type': 'multipart/form-data' } }, 'args.body'],
    [{ params: { a: { b: 1 } } }, 'args.params.a'],
    [{ parse: 'xml' }, 'args.parse'],
    [{ paginate: { next: 'link' } }, 'args.paginate'],
    [{ paginate: { next: 'link' }, method: 'GET', body: 'a' }, 'args.paginate'],
  ])('%j is refused before anything is sent', async (args, field) => {
    const server = await stub(answering(undefined, ''));
    const error = await rejection(call({ url: server.url, method: 'POST', ...args }));
    expect(error).toMatchObject({ code: 'VALIDATION', details: { field } });
    expect(server.seen).toHaveLength(0);
  });

  test('params are added to the query', async () => {
    const server = await stub(answering(undefined, ''));
    await call({ url: `${server.url}/x?a=1#f`, params: { q: 'ä b', id: [1, null, true], none: null } });
    expect(server.seen[0]?.url).toBe('/x?a=1&q=%C3%A4%20b&id=1&id=true');
  });
});

describe('the headers of the response', () => {
  test('are in the output, without cookies', async () => {
    const server = await stub((_, response) => {
      response.setHeader('link', ['<a>; rel=next', '<b>; rel=prev']);
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      response.writeHead(201, { Location: '/orders/7' }).end();
    });
    const { headers } = await call({ url: server.url, method: 'POST' });
    expect(headers).toMatchObject({ location: '/orders/7', link: '<a>; rel=next, <b>; rel=prev' });
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['set-cookie']));
    expect(headers).not.toHaveProperty('connection');
  });

  test('are bounded in number and length', () => {
    const many = new Map(Array.from({ length: 200 }, (_, at) => [`x-${at}`, 'v']));
    expect(Object.keys(shownHeaders(many))).toHaveLength(100);
    const long = new Map([
      ['x-long', 'v'.repeat(20_000)],
      ['x-short', 'v'],
    ]);
    expect(shownHeaders(long)).toEqual({ 'x-short': 'v' });
  });
});

describe('the body that comes back', () => {
  const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('{"a":"é"}', 'utf16le')]);
  test.each<[string, string | undefined, string | Buffer, ToolArguments, unknown]>([
    [
      'a charset in the page',
      'text/html',
      latin1('<meta charset=iso-8859-1>Região'),
      {},
      '<meta charset=iso-8859-1>Região',
    ],
    [
      'a charset in the prolog',
      'application/xml',
      latin1('<?xml version="1.0" encoding="ISO-8859-1"?><a>ã</a>'),
      {},
      '<?xml version="1.0" encoding="ISO-8859-1"?><a>ã</a>',
    ],
    [
      'the header before the page',
      'text/html; charset=ISO-8859-15',
      latin1('<meta charset=utf-8>\xa4'),
      {},
      '<meta charset=utf-8>€',
    ],
    ['no charset, and no UTF-8', 'text/plain', latin1('caf\xe9 \x80'), {}, 'café €'],
    ['no charset, and UTF-8', 'text/plain', 'café', {}, 'café'],
    ['a charset that does not exist', 'text/plain; charset=x-none', 'café', {}, 'café'],
    ['JSON with a byte order mark', 'application/json', '\ufeff{"a":1}', {}, { a: 1 }],
    ['JSON in UTF-16', 'application/json', utf16, {}, { a: 'é' }],
    ['a kind of JSON', 'application/vnd.api+json; version=2', '{"a":1}', {}, { a: 1 }],
    ['JSON under another type', 'text/plain', '{"a":1}', { parse: 'json' }, { a: 1 }],
    ['JSON as text', 'application/json', '{"a":1}', { parse: 'text' }, '{"a":1}'],
    [
      'bytes whose type has a charset',
      'application/zip; charset=utf-8',
      latin1('PK\x03\xe9'),
      {},
      'UEsD6Q==',
    ],
    ['bytes with a zero', 'application/pdf; charset=binary', 'a\0', {}, 'YQA='],
    ['text as base64', 'text/plain', 'abc', { parse: 'base64' }, 'YWJj'],
  ])('%s', async (_, contentType, body, args, data) => {
    const server = await stub(answering(contentType, body));
    expect((await call({ url: server.url, ...args })).data).toEqual(data);
  });

  test.each<[string, string | Buffer, ToolArguments, RegExp]>([
    ['text/plain; charset=utf-8', latin1('caf\xe9'), {}, /cannot be decoded as utf-8/],
    ['text/plain', 'not JSON', { parse: 'json' }, /is not JSON/],
  ])('%s that cannot be read is an error with the status', async (contentType, body, args, message) => {
    const server = await stub(answering(contentType, body));
    const error = await rejection(call({ url: server.url, method: 'POST', ...args }));
    expect(error).toMatchObject({
      code: 'TOOL_EXECUTION_FAILED',
      retryable: false,
      message: expect.stringMatching(message),
      details: { answer: { status: 200, headers: { 'content-type': contentType } } },
    });
  });

  test.each<[string, Record<string, string>]>([
    ['cut', { 'content-length': '100', location: '/orders/7' }],
    ['compressed badly', { 'content-encoding': 'gzip', location: '/orders/7' }],
  ])('of a POST, %s, is an error with status and headers', async (_, headers) => {
    const server = await stub((__, response) => {
      response.writeHead(201, headers);
      response.write('part', () =>
        headers['content-length'] === undefined ? response.end() : response.destroy(),
      );
    });
    const error = await rejection(call({ url: server.url, method: 'POST' }));
    expect(error).toMatchObject({
      retryable: false,
      details: { answer: { status: 201, headers: { location: '/orders/7' } } },
    });
  });
});

describe('pages', () => {
  /** Three pages of two items each. */
  const PAGES: Readonly<Record<string, readonly number[]>> = { '1': [1, 2], '2': [3, 4], '3': [5] };
  const pageOf = (url: string | undefined): string =>
    new URL(url ?? '', 'http://a').searchParams.get('page') ?? '1';
  const list =
    (change: (page: string) => object, links = false): RequestListener =>
    (request, response) => {
      const page = pageOf(request.url);
      const next = Number(page) + 1;
      if (links && next <= 3)
        response.setHeader('link', `</list?page=${next}>; rel="next last", </>; rel=first`);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ rows: PAGES[page], ...change(page) }));
    };
  const all = { items: '$.rows' };

  test.each<[string, RequestListener, object]>([
    ['links', list(() => ({}), true), { next: 'link' }],
    [
      'addresses',
      list((page) => ({ next: page === '3' ? null : `?page=${Number(page) + 1}` })),
      { next: '$.next' },
    ],
    [
      'cursors',
      list((page) => (page === '3' ? {} : { meta: { cursor: Number(page) + 1 } })),
      { next: '$.meta.cursor', param: 'page' },
    ],
  ])('are one list, found by %s', async (_, listener, paginate) => {
    const server = await stub(listener);
    const headers = { authorization: 'Bearer x' };
    const output = await call({ url: `${server.url}/list?q=1`, headers, paginate: { ...paginate, ...all } });
    expect(output).toMatchObject({ status: 200, data: [1, 2, 3, 4, 5], pages: 3 });
    expect(output).not.toHaveProperty('hasMore');
    expect(server.seen.map((seen) => seen.headers['authorization'])).toEqual(Array(3).fill('Bearer x'));
  });

  test('end at max, which the output says', async () => {
    const server = await stub(list(() => ({}), true));
    const output = await call({ url: server.url, paginate: { next: 'link', ...all, max: 2 } });
    expect(output).toMatchObject({ data: [1, 2, 3, 4], pages: 2, hasMore: true });
  });

  test('at another origin get no credentials', async () => {
    const other = await stub(list(() => ({})));
    const server = await stub(list(() => ({ next: `${other.url}/list?page=3` })));
    const headers = { authorization: 'Bearer x', 'x-key': 'y', accept: 'application/json' };
    const output = await call({ url: server.url, headers, paginate: { next: '$.next', ...all } });
    expect(output.data).toEqual([1, 2, 5]);
    expect(other.seen[0]?.headers).toMatchObject({ accept: 'application/json' });
    expect(other.seen[0]?.headers).not.toHaveProperty('authorization');
    expect(other.seen[0]?.headers).not.toHaveProperty('x-key');
    const within = call({ url: server.url, paginate: { next: '$.next', ...all } }, { withinHost: true });
    expect((await rejection(within)).message).toMatch(/^Page 1: the next page is on another host/);
  });

  test('of the first origin get none either, once another has named them', async () => {
    let first = '';
    const other = await stub(list(() => ({ next: `${first}/list?page=3` })));
    const server = await stub(list((page) => (page === '3' ? {} : { next: `${other.url}/list?page=2` })));
    first = server.url;
    const headers = { authorization: 'Bearer x' };
    await call({ url: server.url, headers, paginate: { next: '$.next', ...all } });
    expect(server.seen.map((seen) => seen.headers['authorization'])).toEqual(['Bearer x', undefined]);
  });

  test('of no address are an error of the call', async () => {
    const paged = call({ url: 'foo', paginate: { next: '$.next', ...all } });
    expect((await rejection(paged)).message).toMatch(/is not an address/);
  });

  test.each<[string, RequestListener, object, RegExp]>([
    [
      'comes again',
      list(() => ({ cursor: 2 })),
      { next: '$.cursor', param: 'page' },
      /^Page 2: .*read already/,
    ],
    [
      'has no list',
      list((page) => (page === '2' ? { rows: 7 } : {}), true),
      { next: 'link' },
      /^Page 2: there is no list/,
    ],
    ['is no address', list(() => ({ next: 7 })), { next: '$.next' }, /^Page 1: next finds no address/],
    [
      'has a scheme that is refused',
      list(() => ({ next: 'file:///etc/passwd' })),
      { next: '$.next' },
      /^Page 1: .*http and https/,
    ],
  ])('one that %s is an error that names it', async (_, listener, paginate, message) => {
    const server = await stub(listener);
    const error = await rejection(call({ url: server.url, paginate: { ...all, ...paginate } }));
    expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED', message: expect.stringMatching(message) });
  });

  test('a page with another status names itself and its answer', async () => {
    const ok = list(() => ({}), true);
    const server = await stub((request, response) => {
      if (pageOf(request.url) === '2') response.writeHead(403).end('no');
      else ok(request, response);
    });
    expect(await rejection(call({ url: server.url, paginate: { next: 'link', ...all } }))).toMatchObject({
      message: expect.stringMatching(/^Page 2: GET .* answered 403/),
      details: { page: 2, answer: { status: 403, data: 'no' } },
    });
  });

  test.each([
    ['<https://a/?b=1,2>; title="x, y"; rel="next"', 'https://a/?b=1,2'],
    ['<a>; rel=prev, <b>; REL=Next', 'b'],
    ['<a>; rel="prev"', undefined],
    [`<${'a;'.repeat(8_000)}`, undefined],
    [`<a>${' '.repeat(16_000)}x`, undefined],
    [undefined, undefined],
  ])('the next link of %s', (header, address) => {
    expect(nextInLinks(header)).toBe(address);
  });

  test('what cannot work is found before anything runs', () => {
    const tool = { name: 'api_call', implementation: { kind: 'builtin' as const } };
    const check = (paginate: object): void => checkLiterals(tool, { url: 'http://a/', paginate });
    expect(() => check({ next: 'link', items: '$.rows[*]' })).not.toThrow();
    for (const paginate of [
      {},
      { next: 'a.b' },
      { next: '$.a', max: 0 },
      { next: 'link', param: 'p' },
      { next: 'link', x: 1 },
    ])
      expect(() => check(paginate)).toThrow();
  });
});
