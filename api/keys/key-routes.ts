import { z } from 'zod';
import type { Caller } from '../../src/access/caller';
import type { KeyStore } from '../../src/access/key-store';
import { HoldfastError } from '../../src/base/errors';
import { issuedKeySchema, keyIdSchema, listedKeySchema, newKeySchema } from '../../src/contracts/http/access';
import { DEFAULT_TENANT } from '../../src/contracts/tenants';
import { documentedAs } from '../http/examples';
import { type AnyRoute, defineRoute } from '../http/route';

const params = z.object({ id: keyIdSchema });

/** The routes with which administrators manage keys. */
export function keyRoutes(keys: KeyStore): AnyRoute[] {
  return [
    defineRoute({
      method: 'get',
      path: '/api/keys',
      ...documentedAs('listKeys'),
      access: 'admin',
      concerns: 'tenant',
      tag: 'Keys',
      summary: 'List the keys, without their secrets',
      message: 'Keys retrieved successfully',
      request: {},
      response: z.object({ keys: z.array(listedKeySchema), total: z.int() }),
      handler: async (_input, { caller }) => {
        const listed = await keys.list(managedBy(caller));
        return { keys: listed, total: listed.length };
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/keys',
      ...documentedAs('createKey'),
      access: 'admin',
      concerns: 'tenant',
      tag: 'Keys',
      summary: 'Create a key, which is shown in this response alone',
      status: 201,
      message: 'Key created successfully',
      request: { body: newKeySchema },
      response: issuedKeySchema,
      handler: ({ body }, { caller }) => {
        const within = managedBy(caller);
        if (within !== undefined && (body.tenant ?? within) !== within)
          throw new HoldfastError(
            'ACCESS_DENIED',
            `Keys of other tenants are created by the tenant ${DEFAULT_TENANT}`,
          );
        return keys.create({ ...body, tenant: body.tenant ?? caller.tenant });
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/keys/:id/rotate',
      ...documentedAs('rotateKey'),
      access: 'admin',
      concerns: 'tenant',
      tag: 'Keys',
      summary: 'Give a key a new secret; the former one is refused within a second',
      message: 'Key rotated successfully',
      request: { params },
      response: issuedKeySchema,
      handler: ({ params: { id } }, { caller }) => keys.rotate(id, managedBy(caller)),
    }),
    defineRoute({
      method: 'delete',
      path: '/api/keys/:id',
      ...documentedAs('revokeKey'),
      access: 'admin',
      concerns: 'tenant',
      tag: 'Keys',
      summary: 'Revoke a key; it is refused within a second',
      message: 'Key revoked successfully',
      request: { params },
      response: z.object({ id: z.string() }),
      handler: async ({ params: { id } }, { caller }) => {
        await keys.revoke(id, managedBy(caller));
        return { id };
      },
    }),
  ];
}

/**
 * Returns the tenant whose keys a caller manages. Callers of the default tenant manage those of all tenants (undefined), because a
 * tenant needs a first key.
 */
function managedBy({ tenant }: Caller): string | undefined {
  return tenant === DEFAULT_TENANT ? undefined : tenant;
}
