// `node scripts/console/screenshots.mjs URL FOLDER [HASH…]`: pictures of the console of a service, in light and dark, and on a
// phone. Each HASH is an address behind the `#`; by default those of the panes that the navigation has, of the first row
// of each, such as the first run and the first user, and of what opens in them without data.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { runMain, SetupError } from '../setup/errors.mjs';

/** Live panes ask all the time, so a page is taken once its first answers are there, milliseconds. */
const SETTLE_MS = 1_200;
const VIEWS = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 360, height: 720 } },
];

const OPEN = [
  ...['health', 'usage', 'schedules', 'mcp', 'webhooks', 'hooks'].map(
    (section) => `operate?section=${section}`,
  ),
  ...['tool=calculator', 'workflow=~new', 'agent=~new'].map((opened) => `try?${opened}`),
];

const [url, folder, ...hashes] = process.argv.slice(2);

await runMain(async () => {
  if (folder === undefined) throw new SetupError('Say the address of the service and a folder.');
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  try {
    for (const { name, ...view } of VIEWS) {
      const page = await browser.newPage({ ...view, deviceScaleFactor: 1 });
      page.on('console', (line) => line.type() === 'error' && console.error(name, line.text()));
      page.on('pageerror', ({ message }) => console.error(name, message));
      await page.goto(`${url}/console`);
      await page.locator('header nav a[aria-current]').waitFor();
      const wanted =
        hashes.length > 0
          ? hashes
          : [
              ...(await page
                .locator('header nav a')
                .evaluateAll((links) => links.map(({ hash }) => hash.slice(2)))),
              ...OPEN,
            ];
      for (const hash of wanted) {
        await page.goto(`${url}/console#/${hash}`);
        await page.waitForTimeout(SETTLE_MS);
        const pane = hash.replace(/[^a-z0-9-]+/gi, '-').slice(0, 80);
        await page.screenshot({ path: join(folder, `${pane}-${name}.png`) });
        const first = page.locator('.left a.row').first();
        if (hashes.length > 0 || hash.includes('?') || (await first.count()) === 0) continue;
        await first.click();
        await page.waitForTimeout(SETTLE_MS);
        await page.screenshot({ path: join(folder, `${pane}-first-${name}.png`) });
      }
      await page.close();
    }
  } finally {
    await browser.close();
  }
});
