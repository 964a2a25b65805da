import type { ImportReport } from '../../src/contracts/http/imports';
import type { MemoryImportCounts } from '../../src/contracts/http/memory-imports';
import { type Answer, request } from './http';
import { waitFor } from './wait';

type Headers = Record<string, string>;

/** One line of a conversation. */
export function said(content: string, timestamp: string, more: object = {}): object {
  return { role: 'user', content, timestamp, sessionId: 'imported', ...more };
}

export function importMemories(
  url: string,
  userId: string,
  lines: readonly object[] | string | Uint8Array<ArrayBuffer>,
  headers: Headers = {},
): Promise<Answer> {
  const body = Array.isArray(lines) ? lines.map((line) => JSON.stringify(line)).join('\n') : lines;
  return request(`${url}/api/memory/import/${encodeURIComponent(userId)}`, {
    method: 'POST',
    body: body as string,
    headers: { 'content-type': 'application/x-ndjson', ...headers },
  });
}

/** Waits for the report at an address until its import has ended, or `isEnough`. */
export async function importReportOf(
  url: string,
  path: string,
  {
    headers = {},
    isEnough = ({ state }) => state !== 'running',
  }: {
    readonly headers?: Headers;
    readonly isEnough?: (report: ImportReport<MemoryImportCounts>) => boolean;
  } = {},
): Promise<ImportReport<MemoryImportCounts>> {
  return waitFor(
    async () => {
      const report = (await request(url + path, { headers })).body.data as ImportReport<MemoryImportCounts>;
      return isEnough(report) && report;
    },
    { what: `the import at ${path}` },
  );
}

/** Imports lines and waits for the end. */
export async function imported(
  url: string,
  userId: string,
  lines: Parameters<typeof importMemories>[2],
  headers: Headers = {},
): Promise<ImportReport<MemoryImportCounts>> {
  const started = await importMemories(url, userId, lines, headers);
  if (started.status !== 201) throw new Error(`${started.status}: ${started.text}`);
  return importReportOf(url, started.headers.get('location') ?? '', { headers });
}

/** The lines of an export, with its end. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into lines freely
export async function exported(url: string, userId: string, headers: Headers = {}): Promise<any[]> {
  const { text } = await request(`${url}/api/memory/export/${encodeURIComponent(userId)}`, { headers });
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
}
