import { z } from 'zod';
import type { KeyStore } from '../../src/access/key-store';
import { issuedKeySchema, keyIdSchema, listedKeySchema, newKeySchema } from '../../src/contracts/http/access';
import type { AnyRoute } from '../http/route';
import { defineRoute } from '../http/route';

const params = z.object({ id: keyIdSchema });

/** The routes with which administrators manage keys. */
export function keyRoutes(keys: KeyStore): AnyRoute[] {
  return [
    defineRoute({
      method: 'get',
      path: '/api/keys',
      access: 'admin',
      tag: 'Keys',
      summary: 'List the keys, without their secrets',
      message: 'Keys retrieved successfully',
      request: {},
      response: z.object({ keys: z.array(listedKeySchema), total: z.int() }),
      handler: async () => {
        const listed = await keys.list();
        return { keys: listed, total: listed.length };
      },
    }),
    defineRoute({
      method: 'post',
      path: '/api/keys',
      access: 'admin',
      tag: 'Keys',
      summary: 'Create a key, which is shown in this response alone',
      status: 201,
      message: 'Key created successfully',
      request: { body: newKeySchema },
      example: { body: { name: 'reports', scopes: ['read'] } },
      response: issuedKeySchema,
      handler: ({ body }) => keys.create(body),
    }),
    defineRoute({
      method: 'post',
      path: '/api/keys/:id/rotate',
      access: 'admin',
      tag: 'Keys',
      summary: 'Give a key a new secret; the former one is refused within a second',
      message: 'Key rotated successfully',
      request: { params },
      response: issuedKeySchema,
      handler: ({ params: { id } }) => keys.rotate(id),
    }),
    defineRoute({
      method: 'delete',
      path: '/api/keys/:id',
      access: 'admin',
      tag: 'Keys',
      summary: 'Revoke a key; it is refused within a second',
      message: 'Key revoked successfully',
      request: { params },
      response: z.object({ id: z.string() }),
      handler: async ({ params: { id } }) => {
        await keys.revoke(id);
        return { id };
      },
    }),
  ];
}
