import type { ParameterizedContext } from 'koa';
import { toWellFormed } from '../../src/base/text/well-formed';
import type { RequestState } from './request-state';

export const IGNORED_FIELDS = 'X-Ignored-Fields';
/** Clients limit the headers of a response, which are 16 KiB together at some. */
const MAX_HEADER_LENGTH = 2_000;
/** A client sends the same fields with each request, so a route logs them at most this often, milliseconds. */
const LINE_EVERY_MS = 60_000;

const lastLines = new Map<string, number>();

/** Names the ignored fields of a request in a header of the response and, once a minute for each route, in the log. */
export function noteIgnoredFields(
  ctx: ParameterizedContext<RequestState>,
  route: string,
  fields: readonly string[],
): void {
  if (fields.length === 0) return;
  const names = formatFields(fields);
  ctx.set(IGNORED_FIELDS, names);
  const now = performance.now();
  if (now - (lastLines.get(route) ?? -Infinity) < LINE_EVERY_MS) return;
  lastLines.set(route, now);
  ctx.state.context.logger.warn({ route, fields: names }, 'fields of a request were ignored');
}

/** Writes names as a header may have them: of other characters than those of a path, as in a URL. Pure. */
export function formatFields(fields: readonly string[]): string {
  let text = '';
  for (const field of fields) {
    const next = toWellFormed(field).replaceAll(/[^\w.[\]-]+/g, encodeURIComponent);
    if (text.length + next.length > MAX_HEADER_LENGTH) return `${text}, ...`;
    text = text === '' ? next : `${text}, ${next}`;
  }
  return text;
}
