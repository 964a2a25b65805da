import { setTimeout as delay } from 'node:timers/promises';
import type { ImportReport } from '../src/contracts/http/imports';

const POLL_MS = 100;

/**
 * Imports rows and waits for the end of the run. Single rows may fail without an error.
 * @param recordsUrl the address of the records API
 * @param rows the rows as NDJSON
 * @throws Error if an answer is no success or the run has failed
 */
export async function runImport(recordsUrl: string, rows: string): Promise<ImportReport> {
  const headers = { 'content-type': 'application/x-ndjson' };
  let report = await readData<ImportReport>(`${recordsUrl}/api/imports`, {
    method: 'POST',
    headers,
    body: rows,
  });
  while (report.state !== 'completed') {
    if (report.state === 'failed') throw new Error(`the import ${report.id} has failed`);
    await delay(POLL_MS);
    report = await readData(`${recordsUrl}/api/imports/${report.id}`);
  }
  return report;
}

/**
 * Sends a request and returns the `data` of the answer.
 * @throws Error with the text of an answer that is no success
 */
export async function readData<T>(url: string, init?: RequestInit): Promise<T> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return (JSON.parse(text) as { data: T }).data;
}
