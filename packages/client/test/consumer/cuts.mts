import { createClient, HoldfastApiError } from 'holdfast-client';

declare const process: { readonly argv: readonly string[] };

const client = createClient({ baseUrl: process.argv[2] ?? '' });
const { result } = await client.result(
  client.POST('/api/tools/execute', { body: { toolName: 'calculator' } }),
);
const events: string[] = [];
for await (const { type } of client.run('trace').events()) events.push(type);
// A request that takes no key is sent once.
const unkeyed = await client
  .result(client.POST('/api/tools/register', { body: { name: 'one' } }))
  .catch((error: unknown) => (error instanceof HoldfastApiError ? error.code : error));
console.log(JSON.stringify({ result, events, unkeyed }));
