import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import type Router from '@koa/router';
import type { RequestState } from './request-state';

/** Where the build puts the pages of `packages/console`. */
const CONSOLE_FOLDER = resolve(__dirname, '..', '..', 'console');

export const CONSOLE_PATH = '/console';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** The page loads its own files, calls the service that it comes from, and is in no frame of another page. */
const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/** The names of these files have the hash of their content, so that a browser may keep them. */
const KEEP = 'public, max-age=31536000, immutable';

export interface ConsoleOptions {
  /** Whether callers need a key or a token. */
  readonly authenticated: boolean;
  /** Default: where the build puts it. */
  readonly folder?: string;
}

/**
 * Mounts the console, whose files are read once. It is open to all, because it shows nothing by itself: its requests need the key
 * that a person gives it. Without the built package nothing is mounted.
 */
export function mountConsole(
  router: Router<RequestState>,
  { authenticated, folder = CONSOLE_FOLDER }: ConsoleOptions,
): void {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) return;
  // The page has to know whether to ask for a key before its first request, which would fail without one.
  const html = readFileSync(page, 'utf8').replace(
    'data-auth=""',
    `data-auth="${authenticated ? 'on' : 'off'}"`,
  );
  mountFile(router, CONSOLE_PATH, { content: Buffer.from(html), type: '.html', caching: 'no-cache' });
  const assets = join(folder, 'assets');
  for (const name of readdirSync(assets)) {
    const content = readFileSync(join(assets, name));
    mountFile(router, `${CONSOLE_PATH}/assets/${name}`, { content, type: extname(name), caching: KEEP });
  }
}

interface StaticFile {
  readonly content: Buffer;
  readonly type: string;
  readonly caching: string;
}

function mountFile(router: Router<RequestState>, path: string, { content, type, caching }: StaticFile): void {
  const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  router.get(path, (ctx) => {
    ctx.set({
      ...HEADERS,
      'Content-Type': TYPES[type] ?? 'application/octet-stream',
      'Cache-Control': caching,
      ETag: etag,
    });
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    ctx.body = content;
  });
}
