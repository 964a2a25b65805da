import { toInputSchema } from '../../../../src/contracts/http/tool-schemas';
import { checkHttpDeclaration, httpDeclarationSchema } from '../../../../src/tools/http/http-declaration';

const inputSchema = toInputSchema({ id: { type: 'string', description: '', required: true } });
const check = (declaration: object): void =>
  checkHttpDeclaration(
    httpDeclarationSchema.parse({ url: 'https://shop.test/', ...declaration }),
    inputSchema,
  );

test('takes templates over the parameters in path, query, headers and body', () => {
  check({
    method: 'PUT',
    url: 'https://shop.test:8443/orders/{{args.id}}?a={{args.id}}',
    query: { id: '{{args.id ?? "none"}}' },
    headers: { Authorization: 'Bearer {{args.id}}' },
    body: '{{args}}',
    expect: [200, '404'],
    output: '$.items[*].id',
  });
  // Arguments that the schema does not name may come too.
  const open = { type: 'object', additionalProperties: true };
  checkHttpDeclaration(httpDeclarationSchema.parse({ url: 'https://shop.test/{{args.any}}' }), open);
});

test.each([
  ['http.url', { url: 'https://{{args.id}}/orders' }],
  ['http.url', { url: 'https://shop.test{{args.id}}' }],
  ['http.url', { url: 'https://{{args.id}}.shop.test/' }],
  ['http.url', { url: '{{args.id}}' }],
  ['http.url', { url: 'ftp://shop.test/' }],
  ['http.url', { url: 'https://user:word@shop.test/' }],
  ['http.url', { url: 'https://shop.test/../{{args.id}}' }],
  ['http.url', { url: 'https://shop.test/%2E%2e/' }],
  ['http.url', { url: 'https://\\/{{args.id}}/x' }],
  ['http.url', { url: 'https://\t/{{args.id}}/x' }],
  ['http.url', { url: 'https://shop.test/\t./{{args.id}}' }],
  ['http.url', { url: 'https://shop.test/{{args.name}}' }],
  ['http.url', { url: 'https://shop.test/{{ 1 + 1 }}' }],
  ['http.url', { url: 'https://shop.test/{{previous_result}}' }],
  ['http.query', { query: { id: '{{arg.id}}' } }],
  ['http.headers', { headers: { 'X-Id': '{{args.none}}' } }],
  ['http.headers', { headers: { 'X-{{args.id}}': 'a' } }],
  ['http.headers', { headers: { 'X-Id': 'a\nb' } }],
  ['http.headers', { headers: { Host: 'other.test' } }],
  ['http.body', { body: { ids: ['{{args.nobody}}'] } }],
  ['http.expect', { expect: 'fine' }],
  ['http.output', { output: 'items' }],
  ['http', { body: 'x'.repeat(70_000) }],
])('refuses %s of %j', (field, declaration) => {
  expect(() => check(declaration)).toThrow(
    expect.objectContaining({ code: 'VALIDATION', details: expect.objectContaining({ field }) }),
  );
});
