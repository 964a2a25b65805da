import { rmSync } from 'node:fs';
import type { AgentAnswer } from '../../src/contracts/http/agent';
import { startService, type BenchService } from '../service';
import { makeBenchFolder } from '../unwinding';
import type { Life } from './life';

/** What somebody was answered at the end of a life, and how long each turn of it took, milliseconds. */
export interface LifeRun {
  readonly answer: string;
  readonly times: readonly number[];
}

/**
 * Tells a life to the agent of a service, and asks its question. The built-in rules answer, also where a model is configured.
 * @param id of the user; lives of one service need different ones
 */
export async function tellLife(service: BenchService, life: Life, id = life.id): Promise<LifeRun> {
  const times: number[] = [];
  const say = async (sessionId: string, query: string): Promise<string> => {
    const options = { userId: id, sessionId, model: 'builtin' };
    const started = performance.now();
    const answer = await service.post('/api/agent/execute', { query, options });
    times.push(performance.now() - started);
    return (answer as { data: AgentAnswer }).data.response;
  };
  for (const [day, session] of life.sessions.entries())
    for (const message of session) await say(`session-${day}`, message);
  return { answer: await say('the-question', life.question), times };
}

/** Runs a service on an empty folder, with an agent that is initialized. */
export async function withService<T>(
  settings: Readonly<Record<string, string>>,
  run: (service: BenchService) => Promise<T>,
): Promise<T> {
  const dataDir = makeBenchFolder();
  const service = await startService(dataDir, settings);
  try {
    await service.post('/api/agent/initialize', {});
    return await run(service);
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
