import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createKeyStore } from '../../src/access/key-store';
import { createDocumentStore } from '../../src/factories/create-stores';
import { startService } from '../service';
import { makeBenchFolder } from '../unwinding';
import { ATTACKS, NO_ATTACK } from './attacks';
import type { Attack } from './attacks/attack';
import { figuresOf, neighbourSettings, type SeenFigures, startNeighbours } from './neighbours';

/** What the quiet tenant saw of one attack. */
export interface AttackRow extends SeenFigures {
  readonly attack: string;
  /** How long the attack took, s. */
  readonly seconds: number;
  readonly calls: number;
  /** Why calls failed, and how many for each reason. */
  readonly failures: Readonly<Record<string, number>>;
  /** How many of the attack's requests were answered with each status; 0 for those without an answer. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly attackFailure?: string;
}

const BUILD = resolve(__dirname, '..', '..');
const LIMITS = {
  few: { attackMs: 15_000, afterMs: 2_000 },
  all: { attackMs: 60_000, afterMs: 10_000 },
};
const MAX_P99_MS = 1_000;

/**
 * Sends each attack to a new service as `npm start` runs it, and measures what a quiet tenant sees.
 * @param words `--few` sends the amounts of the suite, and not the whole ones. A word without dashes, after the name of the
 * bench, chooses the attacks whose names contain it
 */
export async function benchNeighbour(words: readonly string[]): Promise<readonly AttackRow[]> {
  const [, wanted = ''] = words.filter((word) => !word.startsWith('--'));
  const rows: AttackRow[] = [];
  const amount = words.includes('--few') ? 'few' : 'all';
  for (const attack of [NO_ATTACK, ...ATTACKS].filter(({ name }) => name.includes(wanted))) {
    rows.push(await endure(attack, amount));
    console.error(toCells(rows.at(-1) as AttackRow).join('  '));
  }
  return rows;
}

async function endure(attack: Attack, amount: keyof Attack['amount']): Promise<AttackRow> {
  const dataDir = makeBenchFolder();
  const operatorKey = await createOperatorKey(dataDir);
  const service = await startService(dataDir, neighbourSettings(BUILD), {
    authorization: `Bearer ${operatorKey}`,
  });
  try {
    const neighbours = await startNeighbours({ url: service.url, operatorKey }, BUILD);
    try {
      const seen = await neighbours.endure(attack, attack.amount[amount], LIMITS[amount]);
      const { sent, samples } = seen;
      const failures: Record<string, number> = {};
      for (const { kind, failure } of samples) {
        if (failure === undefined) continue;
        const reason = `${kind}: ${failure.slice(0, 60)}`;
        failures[reason] = (failures[reason] ?? 0) + 1;
      }
      return {
        attack: attack.name,
        seconds: sent.ms / 1_000,
        calls: samples.length,
        ...figuresOf(seen),
        failures,
        statuses: sent.statuses,
        ...(sent.failure === undefined ? {} : { attackFailure: sent.failure }),
      };
    } finally {
      await neighbours.stop();
    }
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function createOperatorKey(dataDir: string): Promise<string> {
  const documents = createDocumentStore({ path: join(dataDir, 'holdfast.db') });
  try {
    const scopes = ['read', 'run', 'admin'] as const;
    return (await createKeyStore({ documents }).create({ name: 'operator', scopes: [...scopes] })).key;
  } finally {
    await documents.close();
  }
}

export function printNeighbour(rows: readonly AttackRow[]): void {
  console.log(
    '| attack | s | calls | p50 ms | p99 ms | max ms | slowest call | failures | answers to the attack |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | --- | ---: | --- |');
  for (const row of rows) console.log(`| ${toCells(row).join(' | ')} |`);
  for (const { attack, failures } of rows)
    for (const [reason, count] of Object.entries(failures)) console.log(`${attack}: ${count} × ${reason}`);
  const missed = rows.filter(({ p99, failures }) => !(p99 <= MAX_P99_MS) || Object.keys(failures).length > 0);
  console.log(
    `\n${missed.length} of ${rows.length} attacks made a call of the quiet tenant fail, or its p99 exceed 1 s.`,
  );
  if (missed.length > 0) process.exitCode = 1;
}

function toCells(row: AttackRow): string[] {
  const failed = Object.values(row.failures).reduce((sum, count) => sum + count, 0);
  const answers = Object.entries(row.statuses).map(([status, count]) => `${count} × ${status}`);
  const times = [row.p50, row.p99, row.max].map((ms) => ms.toFixed(0));
  const sent = [...answers, ...(row.attackFailure === undefined ? [] : [row.attackFailure])].join(', ');
  return [row.attack, row.seconds.toFixed(1), String(row.calls), ...times, row.slowest, String(failed), sent];
}
