import { createHash } from 'node:crypto';
import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { HoldfastError } from '../../src/base/errors';
import { type BodyLimits, readWhole } from './body-pace';
import { html, Html } from './html';
import type { RequestState } from './request-state';
import type { RequestContext } from './route';

export const FORM = 'application/x-www-form-urlencoded';
/** The forms have a few short fields, and arguments of up to 16,384 characters, which a form sends with up to nine bytes each. */
const MAX_FORM_BYTES = 262_144;

/** A page for people. It has no script and loads nothing. */
export interface Page {
  readonly status: number;
  readonly title: string;
  readonly content: Html;
}

export interface PageRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The fields that were sent; undefined if the body is not a form. */
  readonly form: URLSearchParams | undefined;
  readonly context: Pick<RequestContext, 'logger' | 'redactor' | 'signal'>;
}

/**
 * A path that answers with pages instead of envelopes, and whose forms are sent to the same path. Its address is what
 * gives access, so it is a secret: no other server learns it from the page, and no cache keeps the page.
 */
export interface PageRoute {
  readonly method: 'get' | 'post';
  readonly path: string;
  /** Opening the page changes something, so a HEAD, by which programs look at an address, does not call the handler. */
  readonly actsWhenOpened?: true;
  handler(request: PageRequest): Promise<Page>;
  /** Builds the page of an error. */
  errorPage(error: HoldfastError, status: number): Page;
}

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 2rem auto; padding: 0 1rem; max-width: 44rem }
dt { font-weight: 600 }
dd { margin: 0 0 .5rem; overflow-wrap: anywhere }
pre, textarea, input { border: 1px solid gray; padding: .5rem; box-sizing: border-box; width: 100%; font: .9rem/1.4 monospace }
pre { white-space: pre-wrap; overflow-wrap: anywhere }
button { font: inherit; padding: .5rem 1.5rem; margin: 1rem 1rem 0 0 }
`;

/** It is one value, so that no formatter of templates changes the text whose hash the browser compares. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/**
 * The referrer policy is not `no-referrer`, because with that a browser sends `Origin: null` with a form, which is
 * refused as a page of another origin.
 */
const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Type': 'text/html; charset=utf-8',
};

/** Mounts pages on a router. Their errors become pages too (`middleware/errors.ts`). */
export function mountPages(
  router: Router<RequestState>,
  pages: readonly PageRoute[],
  limits: BodyLimits,
): void {
  for (const page of pages) {
    router[page.method](page.path, async (ctx) => {
      ctx.set(HEADERS);
      if (page.actsWhenOpened === true && ctx.method === 'HEAD') {
        ctx.status = 200;
        return;
      }
      ctx.state.errorBody = (error, status) => write(page.errorPage(error, status));
      const form = ctx.is(FORM) === FORM ? await readForm(ctx, limits) : undefined;
      const answer = await page.handler({
        params: ctx.params,
        query: new URLSearchParams(ctx.querystring),
        form,
        context: ctx.state.context,
      });
      ctx.status = answer.status;
      ctx.body = write(answer);
    });
  }
}

function write({ title, content }: Page): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <h1>${title}</h1>
        ${content}
      </body>
    </html> `.text;
}

async function readForm(ctx: RouterContext<RequestState>, limits: BodyLimits): Promise<URLSearchParams> {
  // The length is checked first, so that a form that is too large is not read.
  if (Number(ctx.get('Content-Length')) > MAX_FORM_BYTES) throw tooLarge();
  const form = await readWhole(ctx.req, { ...limits, maxBytes: MAX_FORM_BYTES }, tooLarge);
  return new URLSearchParams(form.toString());
}

function tooLarge(): HoldfastError {
  return new HoldfastError('BODY_TOO_LARGE', `The form is larger than ${MAX_FORM_BYTES} bytes`);
}
