import { execFileSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';

function findChromium(): string | undefined {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    try {
      return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    } catch {
      // The next one, if any.
    }
  }
  return undefined;
}

const EXECUTABLE = findChromium();

/** `describe`, skipped if there is no browser, except in CI. */
export const describeWithBrowser =
  EXECUTABLE === undefined && process.env['CI'] !== 'true' ? describe.skip : describe;

/** A real browser without a window. */
export function openBrowser(): Promise<Browser> {
  if (EXECUTABLE === undefined) throw new Error('There is no Chromium; install the package chromium');
  return chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
