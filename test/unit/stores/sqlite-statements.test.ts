import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';

/** More than a young generation holds, so that V8 collects statements also in tasks of its own. */
const ROUNDS = 200;

test('statements may be collected while no code of the service runs', async () => {
  const database = new Database(':memory:');
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let made = 0; made < 200; made += 1) database.prepare('SELECT 1');
    // Node.js 24.19 and later ended here, with a better-sqlite3 that was compiled without `scripts/setup/object-wrap.h`.
    await delay(1);
  }
  expect(database.prepare('SELECT 1').pluck().get()).toBe(1);
  database.close();
});
