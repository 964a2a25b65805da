import { toolError, validationError } from '../../base/errors';
import { isJsonObject } from '../../contracts/json';
import { allowsAddress } from '../../contracts/allowed-targets';
import { withQuery } from '../../contracts/with-query';
import { isSameHost, parseHttpUrl } from '../../egress/hops';
import type { ToolContext } from '../tool';
import { compileJsonQuery, type JsonQuery } from './json-query';

const MAX_PAGES = 100;
const DEFAULT_MAX = 10;
const FIELDS: ReadonlySet<string> = new Set(['next', 'items', 'max', 'param']);
/** The word by which `next` names the Link header. */
const LINK = 'link';

/** How the pages of a list are found. */
export interface Pages {
  /** Finds the address or the cursor of the next page; absent if the Link header has it. */
  readonly next?: { readonly path: string; readonly query: JsonQuery };
  /** The list of a page; absent if the page is the list. */
  readonly items: { readonly path: string; readonly query: JsonQuery };
  /** The query parameter that takes the cursor; absent if `next` is an address. */
  readonly param?: string;
  readonly max: number;
}

/**
 * Reads the argument `paginate` of `api_call`.
 * @returns undefined if it is absent
 * @throws HoldfastError `VALIDATION`, `TOOL_EXECUTION_FAILED` for a path that is no JSONPath query
 */
export function readPages(given: unknown, field: string): Pages | undefined {
  if (given === undefined || given === null) return undefined;
  if (!isJsonObject(given)) throw validationError(field, 'must be an object with next, items and max');
  const unknown = Object.keys(given).find((key) => !FIELDS.has(key));
  if (unknown !== undefined)
    throw validationError(
      `${field}.${unknown.slice(0, 64)}`,
      `is not known; there are ${[...FIELDS].join(', ')}`,
    );
  const { next, items = '$', max = DEFAULT_MAX, param } = given;
  if (typeof next !== 'string') throw validationError(`${field}.next`, 'must be "link" or a JSONPath query');
  if (typeof items !== 'string') throw validationError(`${field}.items`, 'must be a JSONPath query');
  if (typeof max !== 'number' || !Number.isInteger(max) || max < 1 || max > MAX_PAGES)
    throw validationError(`${field}.max`, `must be a number of pages from 1 to ${MAX_PAGES}`);
  if (param !== undefined && (typeof param !== 'string' || param === '' || next === LINK))
    throw validationError(`${field}.param`, 'must be the query parameter for the cursor that next finds');
  return {
    next: next === LINK ? undefined : { path: next, query: compileJsonQuery(next) },
    items: { path: items, query: compileJsonQuery(items) },
    param,
    max,
  };
}

/** The address in a Link header whose relation is `next` (RFC 8288). Pure. */
export function nextInLinks(header: string | undefined): string | undefined {
  for (const [, address = '', params = ''] of (header ?? '').matchAll(
    /<([^<>]*)>((?:\s*;\s*[\w!#$&+.^`|~*-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s";,]+))?)*)/g,
  )) {
    const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s";,]*))/i.exec(params);
    const names = (relation?.[1] ?? relation?.[2] ?? '').toLowerCase().split(/\s+/);
    if (names.includes('next')) return address;
  }
  return undefined;
}

/**
 * Builds the address of the next page.
 * @param value an address or, if `param` is given, a cursor
 * @param current the address of this page
 * @returns undefined if there is no next page
 * @throws HoldfastError `TOOL_EXECUTION_FAILED` if it is no address or cursor, or leads where the call may not go
 */
export function nextAddress(
  value: unknown,
  current: string,
  { param }: Pick<Pages, 'param'>,
  { withinHost = false, redirectHosts = [] }: Pick<ToolContext, 'withinHost' | 'redirectHosts'>,
): string | undefined {
  if (value === undefined || value === null || value === false || value === '') return undefined;
  if (param !== undefined) {
    if (typeof value !== 'string' && typeof value !== 'number')
      throw toolError('next finds no cursor: it must be a text or a number');
    const url = new URL(current);
    url.searchParams.delete(param);
    return withQuery(url.href, { [param]: value });
  }
  if (typeof value !== 'string')
    throw toolError('next finds no address; where it finds a cursor, name its query parameter as param');
  const from = new URL(current);
  const url = parseHttpUrl(value, from);
  if (from.protocol === 'https:' && url.protocol === 'http:')
    throw toolError(`the next page leads from https to http, to ${url.host}, where others could read it`);
  if (withinHost && !isSameHost(from, url) && !allowsAddress({ hosts: redirectHosts }, url.href))
    throw toolError(
      `the next page is on another host, ${url.host}, which would have to be asked for by name`,
    );
  return url.href;
}
