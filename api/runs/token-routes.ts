import { z } from 'zod';
import type { KeyStore } from '../../src/access/key-store';
import type { Engine } from '../../temporal/engine';
import type { ShownRuns } from '../../temporal/runs/run-lookup';
import { locateYoungRun } from '../../temporal/runs/young-run';
import { serverClock } from '../../temporal/server-clock';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute } from '../http/route';
import { traceIdParams, workflowIdSchema } from './run-schema';
import { makerOf } from '../http/caller-identity';
import { RUN_TOKEN_MS, type RunTokens } from '../../src/secrets/signed-texts';

export interface RunTokenPorts {
  readonly engine: Engine;
  readonly shown: ShownRuns;
  readonly tokens: Pick<RunTokens, 'sign'>;
  /** Absent: keys are not accepted. */
  readonly keys: Pick<KeyStore, 'stampOf'> | undefined;
}

/** The token by which one run is read, in the query of the routes that take it. */
export const runTokenQuery = z
  .string()
  .max(2_000)
  .optional()
  .describe('A token of `POST /api/runs/{traceId}/token`, instead of a key');

/** The route that makes a token by which a page reads one run, also by an `EventSource`, which can send no key. */
export function runTokenRoute({ engine, shown, tokens, keys }: RunTokenPorts): AnyRoute {
  return defineRoute({
    method: 'post',
    path: '/api/runs/:traceId/token',
    ...documentedAs('createRunToken'),
    access: 'read',
    tag: 'Runs',
    summary: 'Make a token by which a page reads one run',
    description:
      'For the query of `GET /api/runs/{traceId}` and of the paths below it for its events, its input and its steps, as an ' +
      '`EventSource` can send no key. It is valid for 15 minutes, unless the key that made it is revoked or rotated before.',
    message: 'Token created successfully',
    request: { params: traceIdParams, query: z.strictObject({ workflowId: workflowIdSchema.optional() }) },
    response: z.object({ token: z.string(), expiresAt: z.iso.datetime() }),
    async handler({ params, query }, { owner, caller }) {
      await locateYoungRun(engine, { ...shown, owner }, { ...params, ...query });
      const exp = serverClock.now() + RUN_TOKEN_MS;
      const token = tokens.sign({ run: params.traceId, ...owner, ...(await makerOf(caller, keys)), exp });
      return { token, expiresAt: new Date(exp).toISOString() };
    },
  });
}
