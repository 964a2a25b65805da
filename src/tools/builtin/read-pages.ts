import { isHoldfastError, toolError, withDetails } from '../../base/errors';
import { nextLargePiece } from '../../base/async/large-pieces';
import { isTransferable, parseHttpUrl } from '../../egress/hops';
import type { EgressResponse } from '../../egress/egress';
import type { Sandbox } from '../../sandbox/sandbox';
import type { ToolContext, ToolOutput } from '../tool';
import { nextAddress, nextInLinks, type Pages } from './next-page';
import { isLargeJson, readResponseData } from './response-data';
import { runJsonQuery } from './run-json-query';
import { shownHeaders } from './headers';

/** Bytes of the bodies of all pages together. They are in memory at once. */
const MAX_BYTES = 4_194_304;

export interface PagedRequest {
  readonly url: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly pages: Pages;
  readonly context: ToolContext;
  readonly sandbox: Pick<Sandbox, 'queryJson'>;
  /** Requests one page, and throws if its status is not expected. */
  request(url: string, headers: ReadonlyMap<string, string>): Promise<EgressResponse>;
}

/**
 * Requests the pages of a list one after another; the value is `{ status, data, pages, headers }` with one list, and the status and
 * headers of the last page. `hasMore` says that `max` ended it. To another origin go only the headers that a redirect keeps.
 * @throws HoldfastError that names the page: what `request` throws, and `TOOL_EXECUTION_FAILED` for a page without a list, an
 *   address that comes again, and pages that are too large together
 */
export async function readAllPages(paged: PagedRequest): Promise<ToolOutput> {
  const { pages, request } = paged;
  const { origin } = parseHttpUrl(paged.url);
  const items: unknown[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  let next: string | undefined = paged.url;
  let { headers } = paged;
  for (let page = 1; ; page += 1) {
    const url: string = next;
    try {
      seen.add(url);
      // Like a redirect, a page of another origin never gets credentials sent again.
      if (new URL(url).origin !== origin)
        headers = new Map([...headers].filter(([name]) => isTransferable(name)));
      const response = await request(url, headers);
      bytes += response.bytes.length;
      if (bytes > MAX_BYTES) throw toolError(`the pages have more than ${MAX_BYTES} bytes together`);
      const content = await readPage(response, paged);
      for (const item of content.items) items.push(item);
      next = nextAddress(content.next, response.url, pages, paged.context);
      if (next !== undefined && seen.has(next)) throw toolError('the next page is one that was read already');
      if (next === undefined || page === pages.max) {
        const { status } = response;
        const more = next === undefined ? {} : { hasMore: true };
        return {
          value: { status, data: items, pages: page, ...more, headers: shownHeaders(response.headers) },
        };
      }
    } catch (error) {
      throw namingPage(error, page);
    }
  }
}

async function readPage(
  response: EgressResponse,
  { pages, context, sandbox }: PagedRequest,
): Promise<{ readonly items: readonly unknown[]; readonly next: unknown }> {
  if (isLargeJson(response, 'json')) await nextLargePiece();
  const { data: document } = readResponseData(response, 'json');
  const find = ({ path, query }: Pages['items']): Promise<readonly unknown[]> =>
    runJsonQuery(sandbox, query, { path, document, length: response.bytes.length }, context);
  const matches = await find(pages.items);
  const list = pages.items.query.singular ? matches[0] : matches;
  if (!Array.isArray(list)) throw toolError(`there is no list at ${pages.items.path}`);
  const [next] =
    pages.next === undefined ? [nextInLinks(response.headers.get('link'))] : await find(pages.next);
  return { items: list, next };
}

/** Says in the error of a page which it is. */
function namingPage(error: unknown, page: number): unknown {
  return isHoldfastError(error) ? withDetails(error, { page }, `Page ${page}: ${error.message}`) : error;
}
