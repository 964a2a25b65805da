import { pino } from 'pino';
import type { RequestContext } from '../../api/http/route';
import { ANYONE } from '../../src/access/caller';
import { createRedactor } from '../../src/secrets/redactor';

/** The context of a request whose caller is not authenticated, for tests of code behind the HTTP layer. */
export function createRequestContext(parts: Partial<RequestContext> = {}): RequestContext {
  return {
    requestId: 'r',
    logger: pino({ level: 'silent' }),
    redactor: createRedactor(),
    caller: ANYONE,
    owner: { tenant: ANYONE.tenant },
    keyPrefix: undefined,
    origin: 'http://127.0.0.1',
    idempotencyKey: undefined,
    ifMatch: undefined,
    bodyStream: undefined,
    signal: () => new AbortController().signal,
    noteRun: () => undefined,
    admit: () => Promise.resolve(),
    ...parts,
  };
}
