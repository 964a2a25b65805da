import { z } from 'zod';
import {
  allowedFileSchema,
  allowedHostSchema,
  allowedToolSchema,
  MAX_ALLOWED,
} from '../../src/contracts/http/allow-entries';

const atMost = `must have at most ${MAX_ALLOWED} entries`;

/**
 * The targets that a planner's calls may have besides those that the message names. It is strict, since a misspelt
 * `hosts` would allow nothing.
 */
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
    tools: z
      .array(allowedToolSchema)
      .max(MAX_ALLOWED, atMost)
      .optional()
      .describe('Remote tools that need no approval: server.tool, server.*, or * for every one'),
  })
  .optional()
  .describe('Targets that a planner may call besides those that the message names');

export type AllowOption = z.output<typeof allowOption>;
