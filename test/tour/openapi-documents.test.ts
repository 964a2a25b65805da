import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SharedService } from '../support/service';
import { useService } from '../support/use-service';

/**
 * Callers generate their clients from the two documents. This suite compares a digest of each operation and of each
 * other part, without the texts that only people read. A changed digest is a change of the contract: run this file with
 * `UPDATE_OPENAPI=yes`, read the changed documents, and name the change in CHANGELOG.md.
 */
const FILE = join(__dirname, '..', 'openapi', 'digests.json');
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Digests = Record<string, string>;

let service: SharedService;
beforeAll(async () => {
  service = await useService();
});
afterAll(() => service.stop());

/** A property may be called `description`; a description that people read is one whose value is a text. */
function withoutTexts(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value)
    .filter(([name, part]) => !((name === 'summary' || name === 'description') && typeof part === 'string'))
    .map(([name, part]): [string, Json] => [name, withoutTexts(part)]);
  return Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const digestOf = (value: Json): string =>
  createHash('sha256')
    .update(JSON.stringify(withoutTexts(value)))
    .digest('hex')
    .slice(0, 16);

function digestsOf(document: Record<string, Json>): Digests {
  const { paths, info: _, ...rest } = document;
  const operations = Object.entries(paths as Record<string, Record<string, Json>>).flatMap(([path, item]) =>
    Object.entries(item).map(([name, part]): [string, string] => [
      METHODS.has(name) ? `${name.toUpperCase()} ${path}` : `${path} ${name}`,
      digestOf(part),
    ]),
  );
  const others = Object.entries(rest).map(([name, part]): [string, string] => [name, digestOf(part)]);
  return Object.fromEntries([...operations, ...others].sort(([one], [other]) => (one < other ? -1 : 1)));
}

async function documentAt(url: string): Promise<Record<string, Json>> {
  const response = await fetch(`${url}/api/openapi.json`);
  return (await response.json()) as Record<string, Json>;
}

test('both documents say what they said, but for texts', async () => {
  const [api, records] = await Promise.all([service.url, service.recordsUrl].map(documentAt));
  const now = { api: digestsOf(api ?? {}), records: digestsOf(records ?? {}) };
  if (process.env['UPDATE_OPENAPI'] === 'yes') writeFileSync(FILE, `${JSON.stringify(now, undefined, 2)}\n`);
  expect(now).toEqual(JSON.parse(readFileSync(FILE, 'utf8')));
});

test('a digest follows everything but the texts for people', () => {
  const operation = {
    summary: 'Old',
    parameters: [{ name: 'id', schema: { type: 'string', description: 'x' } }],
  };
  const digest = digestOf(operation);
  expect(digestOf({ ...operation, summary: 'New' })).toBe(digest);
  expect(digestOf({ ...operation, parameters: [{ name: 'id', schema: { type: 'integer' } }] })).not.toBe(
    digest,
  );
  // A property named `description` is not a text for people.
  expect(digestOf({ properties: { description: { type: 'string' } } })).not.toBe(
    digestOf({ properties: {} }),
  );
});
