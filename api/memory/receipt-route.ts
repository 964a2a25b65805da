import { z } from 'zod';
import { HoldfastError } from '../../src/base/errors';
import type { ErasureReceipts } from '../../src/memory/erasure-receipts';
import { documentedAs } from '../http/examples';
import { type AnyRoute, routesWith } from '../http/route';

/** What the route of receipts needs of the caller's tenant. */
export interface ReceiptServices {
  readonly memory: { readonly receipts: ErasureReceipts };
}

const { defineRoute } = routesWith<ReceiptServices>();

/** The route of the receipts that erasures leave. */
export function erasureReceiptRoute(): AnyRoute<ReceiptServices> {
  return defineRoute({
    method: 'get',
    path: '/api/memory/erasures/:id',
    ...documentedAs('getErasureReceipt'),
    access: 'admin',
    concerns: 'tenant',
    tag: 'Memory',
    summary: 'The signed receipt of an erasure',
    description:
      'It names the user by a keyed hash only. docs/operators/security.md says how to check the signature.',
    message: 'Receipt retrieved successfully',
    tools: () => [],
    request: {
      params: z.object({ id: z.string().min(1).max(200) }),
      query: z.strictObject({
        userId: z.string().min(1).max(200).optional().describe('Compares this user with that of the receipt'),
      }),
    },
    response: z.object({
      statement: z.string().describe('JSON, exactly as it was signed'),
      signature: z.string().describe('Ed25519, base64'),
      publicKey: z.string().describe('PEM'),
      isOfUser: z.boolean().optional().describe('Whether `userId` was erased; absent if none was asked for'),
    }),
    handler: async ({ params: { id }, query: { userId } }, { services }) => {
      const { receipts } = services.memory;
      const receipt = await receipts.find(id);
      if (receipt === undefined) throw new HoldfastError('ERASURE_NOT_FOUND', `No erasure "${id}" has ended`);
      const { user } = JSON.parse(receipt.statement) as { readonly user: string };
      const compared = userId === undefined ? {} : { isOfUser: user === receipts.hashOf(userId) };
      return { ...receipt, publicKey: receipts.publicKey, ...compared };
    },
  });
}
