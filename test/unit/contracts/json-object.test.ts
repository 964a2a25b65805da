import { z } from 'zod';
import { toolRequestSchemas } from '../../../requests/tool-requests';
import { jsonObjectSchema } from '../../../src/contracts/http/text-schema';

const limits = { TOOL_TIMEOUT_MS: 30_000, MAX_TOOLS_PER_CALL: 5, MAX_SOURCE_BYTES: 1_000 };

test('arguments are passed on as they are, and no name of them is read, however many a caller sends', () => {
  let reads = 0;
  const count = (): void => void (reads += 1);
  const many: Record<string, unknown> = new Proxy(
    {},
    {
      ownKeys: () => {
        count();
        return Array.from({ length: 80_000 }, (_, index) => `name${index}`);
      },
      getOwnPropertyDescriptor: () => {
        count();
        return { enumerable: true, configurable: true, value: 1 };
      },
      get: () => {
        count();
        return 1;
      },
    },
  );
  const body = { toolName: 'calculator', args: many };
  const parsed = toolRequestSchemas(limits).execute.safeParse(body, { reportInput: true });
  expect([parsed.success, parsed.data?.args === many]).toEqual([true, true]);
  expect(reads).toBeLessThan(10);
});

test.each([[[]], [null], ['text'], [1]])('%j is no object', (value) => {
  expect(jsonObjectSchema.safeParse(value).error?.issues).toMatchObject([{ message: 'must be an object' }]);
});

test('its description is that of a record', () => {
  const describe = (schema: z.ZodType): object => z.toJSONSchema(schema, { unrepresentable: 'any' });
  expect(describe(jsonObjectSchema)).toEqual(describe(z.record(z.string(), z.unknown())));
});
