import { z } from 'zod';
import { allowedFileSchema, allowedHostSchema, MAX_ALLOWED } from '../../src/contracts/http/allow-entries';

const atMost = `must have at most ${MAX_ALLOWED} entries`;

/** What planned calls may reach beyond what the sentence names. Strict: a misspelt `hosts` would allow nothing. */
export const allowOption = z
  .strictObject({
    hosts: z
      .array(allowedHostSchema)
      .max(MAX_ALLOWED, atMost)
      .optional()
      .describe('Hosts for api_call: example.com, example.com:8443, *.example.com, or * for every host'),
    files: z
      .array(allowedFileSchema)
      .max(MAX_ALLOWED, atMost)
      .optional()
      .describe('Files for file_read: a path, a folder such as reports/, or * for every file'),
  })
  .optional()
  .describe('What planned calls may reach beside what the sentence itself names');

export type AllowOption = z.output<typeof allowOption>;
