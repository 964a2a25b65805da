import { startTimeLimit } from '../../base/async/time-limit';
import { readServerFacts, type ServerAddress, type ServerFacts } from './server-facts';

/** What a process keeps of a server's answers about itself. */
export interface KnownServer {
  /** Asks the server again once what it said is too old; a call that needs it waits for a second at most. */
  about(model: string): Promise<ServerFacts>;
}

/** The servers of a machine answer such questions at once, also while they work; milliseconds. */
const ASK_LIMIT_MS = 1_000;
/** How long an answer is kept, and how long one without the size of the context, milliseconds. */
const KEEP_MS = 300_000;
const KEEP_INCOMPLETE_MS = 30_000;
/** Of which callers may name any number. */
const MAX_MODELS = 100;

export function createKnownServer(
  server: ServerAddress,
  { now = Date.now }: { readonly now?: () => number } = {},
): KnownServer {
  const factsByModel = new Map<string, { readonly facts: Promise<ServerFacts>; until: number }>();

  async function ask(model: string): Promise<ServerFacts> {
    const { signal } = new AbortController();
    const timedOut = (): Error => new Error(`no answer within ${ASK_LIMIT_MS} ms`);
    const limit = startTimeLimit({ signal, timeoutMs: ASK_LIMIT_MS, timedOut });
    try {
      return await readServerFacts(server, model, limit.signal);
    } finally {
      limit.end();
    }
  }

  return {
    about(model) {
      const before = factsByModel.get(model);
      if (before !== undefined && before.until > now()) return before.facts;
      if (factsByModel.size >= MAX_MODELS) factsByModel.clear();
      const entry = { facts: ask(model), until: Infinity };
      factsByModel.set(model, entry);
      return entry.facts.then((facts) => {
        entry.until = now() + (facts.contextTokens === undefined ? KEEP_INCOMPLETE_MS : KEEP_MS);
        return facts;
      });
    },
  };
}
