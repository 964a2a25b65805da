import { createReadStream } from 'node:fs';
import { dirname, join } from 'node:path';
import type Router from '@koa/router';
import type { RequestState } from './request-state';
import { type DocumentOptions, openApiDocument } from './openapi';
import type { AnyRoute } from './route';

const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));

/** These files are served from the npm package, so the page loads nothing from other servers. */
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
};

/** Swagger UI sets styles by attributes, and its icons are data. It calls the service that it comes from. */
const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
};

const INITIALISER = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#docs' });`;

function page(title: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/api-docs/swagger-ui.css" />
  </head>
  <body>
    <div id="docs"></div>
    <script src="/api-docs/swagger-ui-bundle.js"></script>
    <script src="/api-docs/initialise.js"></script>
  </body>
</html>
`;
}

/** JSON Schemas that are published, by path. */
export type PublishedSchemas = Readonly<Record<string, () => Readonly<Record<string, unknown>>>>;

/** Mounts JSON Schemas without an envelope, as editors and validators read them. The address of each is its `$id`. */
export function mountSchemas(router: Router<RequestState>, schemas: PublishedSchemas): void {
  for (const [path, build] of Object.entries(schemas)) {
    let schema: Readonly<Record<string, unknown>> | undefined;
    router.get(path, (ctx) => {
      schema ??= build();
      ctx.type = 'application/schema+json';
      ctx.body = JSON.stringify({ ...schema, $id: `${ctx.protocol}://${ctx.host}${path}` }, undefined, 2);
    });
  }
}

/** Mounts the OpenAPI document at `GET /api/openapi.json`, and its interactive form at `GET /api-docs`. */
export function mountDocs(
  router: Router<RequestState>,
  routes: readonly AnyRoute[],
  info: DocumentOptions,
): void {
  let document: object | undefined;
  router.get('/api/openapi.json', (ctx) => {
    document ??= openApiDocument(routes, info);
    ctx.body = document;
  });
  router.get('/api-docs', (ctx) => {
    ctx.set(HEADERS);
    ctx.type = 'text/html';
    ctx.body = page(info.title);
  });
  router.get('/api-docs/initialise.js', (ctx) => {
    ctx.type = 'text/javascript';
    ctx.body = INITIALISER;
  });
  for (const [name, type] of Object.entries(ASSETS)) {
    router.get(`/api-docs/${name}`, (ctx) => {
      ctx.type = type;
      ctx.body = createReadStream(join(SWAGGER_UI, name));
    });
  }
}
