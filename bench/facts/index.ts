import { rmSync } from 'node:fs';
import type { AgentAnswer } from '../../src/contracts/http/agent';
import { startService } from '../service';
import { median, percentile } from '../statistics';
import { makeBenchFolder } from '../unwinding';
import { judge, type Life } from './life';
import { readLives, score, type Score } from './score';

const HALVES = ['development', 'held-out'] as const;

interface HalfReport {
  readonly half: (typeof HALVES)[number];
  readonly scores: readonly Score[];
}

export interface FactsReport {
  readonly halves: readonly HalfReport[];
  /** A turn over HTTP, milliseconds. */
  readonly turn: { readonly p50: number; readonly p95: number };
}

/** Tells the scripted lives to the agent, by its built-in rules, and judges what it answers at the end of each. */
export async function benchFacts(): Promise<FactsReport> {
  const dataDir = makeBenchFolder();
  const service = await startService(dataDir);
  const times: number[] = [];
  const say = async (userId: string, sessionId: string, query: string): Promise<string> => {
    const started = performance.now();
    const answer = await service.post('/api/agent/execute', { query, options: { userId, sessionId } });
    times.push(performance.now() - started);
    return (answer as { data: AgentAnswer }).data.response;
  };
  const live = async ({ id, sessions, question }: Life): Promise<string> => {
    for (const [day, session] of sessions.entries())
      for (const message of session) await say(id, `session-${day}`, message);
    return say(id, 'the-question', question);
  };
  try {
    await service.post('/api/agent/initialize', {});
    const halves: HalfReport[] = [];
    for (const half of HALVES) {
      const judged = [];
      for (const life of readLives(half)) judged.push({ life, verdict: judge(life, await live(life)) });
      halves.push({ half, scores: score(judged) });
    }
    return { halves, turn: { p50: median(times), p95: percentile(times, 0.95) } };
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export function printFacts({ halves, turn }: FactsReport): void {
  for (const { half, scores } of halves) {
    console.log(`\n| ${half}, lives | right | stale | never said | refused |`);
    console.log('| --- | ---: | ---: | ---: | ---: |');
    for (const { kind, lives, right, stale, never, refused } of scores)
      console.log(`| ${kind}, ${lives} | ${[right, stale, never, refused].join(' | ')} |`);
  }
  console.log(`\nA turn over HTTP: p50 ${turn.p50.toFixed(1)} ms, p95 ${turn.p95.toFixed(1)} ms`);
}
