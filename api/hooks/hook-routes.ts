import { z } from 'zod';
import { hookSchema, type HookView, newHookSchema } from '../../src/contracts/http/hooks';
import { DEFAULT_TENANT } from '../../src/contracts/tenants';
import { type HookStore, type StoredHook } from '../../src/hooks/hook-store';
import type { WorkflowCatalogue } from '../../src/workflow-definitions/catalogue';
import { serverClock } from '../../temporal/server-clock';
import { chosenIdSchema } from '../../src/contracts/http/text-schema';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';

/** What the routes of hooks need of the caller's tenant. */
export interface HookServices {
  readonly tenant: string;
  readonly hooks: HookStore;
  readonly catalogue: Pick<WorkflowCatalogue, 'get'>;
}

const { defineRoute } = routesWith<HookServices>();

const TAG = 'Hooks';
const PATH = '/api/hooks/:id';
const params = z.object({ id: chosenIdSchema });
/** Callers of one user may not change what starts runs of the tenant. */
const ACCESS = { access: 'tools', concerns: 'tenant' } as const;

/** The routes that make and remove the addresses at which other services start workflows. */
export function hookRoutes(): AnyRoute<HookServices>[] {
  return [
    defineRoute({
      method: 'put',
      path: PATH,
      ...documentedAs('putHook'),
      ...ACCESS,
      tag: TAG,
      summary: 'Make an address at which another service starts a workflow, or replace it',
      description:
        'Requests to `path` need no key: their signature is checked. The workflow gets the inputs `body` and `headers`, or those of the two that it declares.',
      message: ({ id }) => `Hook "${id}" stored`,
      request: { params, body: newHookSchema },
      response: hookSchema,
      async handler({ params: { id }, body: hook }, { caller, services: { tenant, hooks, catalogue } }) {
        await catalogue.get(hook.workflowId);
        const stored: StoredHook = {
          id,
          ...hook,
          scopes: [...caller.scopes],
          createdAt: new Date(serverClock.now()).toISOString(),
        };
        await hooks.put(stored);
        return toView(stored, tenant);
      },
    }),
    defineRoute({
      method: 'get',
      path: '/api/hooks',
      ...documentedAs('listHooks'),
      ...ACCESS,
      tag: TAG,
      summary: 'All hooks, by id',
      message: ({ hooks }) => `Found ${hooks.length} hooks`,
      request: {},
      response: z.object({ hooks: z.array(hookSchema) }),
      handler: async (_input, { services: { tenant, hooks } }) => ({
        hooks: (await hooks.list()).map((hook) => toView(hook, tenant)),
      }),
    }),
    defineRoute({
      method: 'get',
      path: PATH,
      ...documentedAs('getHook'),
      ...ACCESS,
      tag: TAG,
      summary: 'One hook, without its secret',
      message: 'Hook retrieved successfully',
      request: { params },
      response: hookSchema,
      handler: async ({ params: { id } }, { services: { tenant, hooks } }) =>
        toView(await hooks.get(id), tenant),
    }),
    defineRoute({
      method: 'delete',
      path: PATH,
      ...documentedAs('deleteHook'),
      ...ACCESS,
      tag: TAG,
      summary: 'Delete a hook',
      message: ({ id }) => `Hook "${id}" deleted`,
      request: { params },
      response: z.object({ id: z.string() }),
      async handler({ params: { id } }, { services: { hooks } }) {
        await hooks.remove(id);
        return { id };
      },
    }),
  ];
}

function toView({ secret: _, scopes: __, ...hook }: StoredHook, tenant: string): HookView {
  // Neither a tenant nor an id has a dot.
  return { ...hook, path: `/hooks/${tenant === DEFAULT_TENANT ? '' : `${tenant}.`}${hook.id}` };
}
