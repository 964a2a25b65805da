import type Router from '@koa/router';
import { VERSION } from '../../src/base/version';
import { success } from './envelope';
import { html } from './html';
import type { RequestState } from './request-state';

/** An address that is not known is undefined. */
export type Links = Readonly<Record<string, string | undefined>>;

export interface Home {
  readonly title: string;
  readonly description: string;
  /** Where to go from here: paths of this server, or addresses of others, by what is there. Called for each request. */
  readonly links: () => Links;
}

interface Here {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly links: Links;
}

const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; img-src data:; frame-ancestors 'none'; base-uri 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Content-Type': 'text/html; charset=utf-8',
};

/** Mounts `GET /`, which says what is here: to programs as JSON, and to browsers as a page. It is open to all. */
export function mountHome(router: Router<RequestState>, { title, description, links }: Home): void {
  router.get('/', (ctx) => {
    ctx.vary('Accept');
    const here: Here = { name: title, version: VERSION, description, links: links() };
    if (ctx.accepts('json', 'html') !== 'html') {
      ctx.body = success(here, `This is ${title} ${VERSION}`);
      return;
    }
    ctx.set(HEADERS);
    ctx.body = writePage(here);
  });
}

function writePage({ name, version, description, links }: Here): string {
  const items = Object.entries(links).flatMap(([what, at]) =>
    at === undefined ? [] : [html`<li>${what}: <a href="${at}">${at}</a></li>`],
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${name}</title>
        <link rel="icon" href="data:," />
      </head>
      <body>
        <h1>${name} ${version}</h1>
        <p>${description}</p>
        <ul>
          ${items}
        </ul>
      </body>
    </html>`.text;
}
