import fc from 'fast-check';
import { toWellFormed } from '../../../../src/base/text/well-formed';
import type { HttpImplementation } from '../../../../src/contracts/http/tools';
import { requestOf } from '../../../../src/tools/http/http-request';

const order: HttpImplementation = {
  kind: 'http',
  method: 'POST',
  url: 'https://shop.test/orders/{{args.id}}/items?of={{args.shop ?? "main"}}',
  query: { limit: '{{args.limit}}', tags: '{{args.tags}}' },
  body: { note: 'for {{args.name}}', count: '{{args.limit}}', all: '{{args}}' },
  expect: [201],
};

test('templates keep their types in query and body, are encoded in the address, and are texts in headers', () => {
  const args = { id: 'a/b ?#', limit: 5, tags: ['x', 'y'], name: 'Ada' };
  const headers = {
    Authorization: 'Bearer key',
    'X-Name': '{{args.name | upper}}',
    'X-None': '{{args.none}}',
  };
  expect(requestOf(order, headers, args)).toEqual({
    method: 'POST',
    url: 'https://shop.test/orders/a%2Fb%20%3F%23/items?of=main',
    params: { limit: 5, tags: ['x', 'y'] },
    headers: { Authorization: 'Bearer key', 'X-Name': 'ADA' },
    body: { note: 'for Ada', count: 5, all: args },
    expect: [201],
  });
});

test('an argument that was left out is left out, and any status but 2xx is a failure', () => {
  const built = requestOf({ ...order, expect: undefined }, {}, { id: 7 });
  expect(built['params']).toEqual({});
  expect(JSON.stringify(built['body'])).toBe('{"note":"for ","all":{"id":7}}');
  expect(built['expect']).toBe('2xx');
});

test.each([
  [{}, /^args\.id must not be empty/],
  [{ id: '' }, /^args\.id must not be empty/],
  [{ id: null }, /^args\.id must not be empty/],
  [{ id: ['a'] }, /^args\.id must be a text/],
  [{ id: '..' }, /segment "\." or "\.\."/],
  [{ id: '.' }, /segment "\." or "\.\."/],
])('the path of an address takes no %j', (args, message) => {
  expect(() => requestOf(order, {}, args)).toThrow(message);
});

test('no value leaves the part of the address in which its template stands', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (id, shop) => {
      let url: URL;
      try {
        url = new URL(String(requestOf(order, {}, { id, shop })['url']));
      } catch (error) {
        expect(error).toMatchObject({ code: 'TOOL_EXECUTION_FAILED' });
        expect(['', '.', '..']).toContain(id);
        return;
      }
      expect([url.origin, url.hash]).toEqual(['https://shop.test', '']);
      expect(url.pathname.split('/')).toEqual(['', 'orders', expect.any(String), 'items']);
      expect(decodeURIComponent(url.pathname.split('/')[2] ?? '')).toBe(toWellFormed(id));
      expect([...url.searchParams.keys()]).toEqual(['of']);
    }),
  );
});
