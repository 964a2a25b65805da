import { MAX_DEADLINE_MS, MIN_DEADLINE_MS } from '../contracts/http/approvals';
import { bytes, count, milliseconds } from './fields';

export const timeSettings = {
  WAIT_LIMIT_MS: milliseconds(100, 600_000)
    .default(60_000)
    .describe('How long a request waits for its run, ms'),
  RUN_TIMEOUT_MS: milliseconds(1_000, 86_400_000)
    .default(600_000)
    .describe('Longest life of a run of tools, ms; longer if its calls together may take longer'),
  TOOL_TIMEOUT_MS: milliseconds(10, 600_000)
    .default(30_000)
    .describe('Longest a tool call may take, retries included, ms'),
  TOOL_MAX_ATTEMPTS: count(1, 20).default(3).describe('Most attempts at a tool call that fails transiently'),
  APPROVAL_DEADLINE_MS: milliseconds(MIN_DEADLINE_MS, MAX_DEADLINE_MS)
    .default(86_400_000)
    .describe('How long a call waits for a person, if the request does not say, ms'),
  SHUTDOWN_GRACE_MS: milliseconds(0, 600_000)
    .default(10_000)
    .describe('How long a stopping process lets work finish, ms'),
};

export const boundSettings = {
  MAX_BODY_BYTES: bytes(1_024, 64 * 1_048_576)
    .default(1_048_576)
    .describe('Largest request body, bytes'),
  MAX_TOOLS_PER_CALL: count(1, 100).default(50).describe('Most tools in one parallel or sequential call'),
  MAX_TOOLS: count(1, 100_000).default(1_000).describe('Most tools in the registry'),
  MAX_SCHEDULES: count(1, 1_000).default(100).describe('Most schedules of a tenant'),
  MAX_WORKFLOWS: count(1, 100_000).default(1_000).describe('Most workflows that callers may store'),
  MAX_SOURCE_BYTES: bytes(100, 1_048_576)
    .default(65_536)
    .describe('Longest source text of a registered tool, bytes'),
  MAX_RESULT_BYTES: bytes(1_024, 64 * 1_048_576)
    .default(8 * 1_048_576)
    .describe('Largest result of a tool, bytes of JSON'),
  MAX_BYTES_IN_FLIGHT: bytes(16 * 1_048_576, 64 * 1_073_741_824)
    .default(256 * 1_048_576)
    .describe(
      'Most bytes of large values that a process reads, checks and sends at once; one caller has at most half of them, and requests beyond that wait up to 5 s before a 503',
    ),
  STATISTICS_RETENTION_MS: milliseconds(172_800_000, 31_536_000_000)
    .default(172_800_000)
    .describe('How long a counted tool call is remembered, so that a repeat is not counted again, ms'),
  PAYLOAD_THRESHOLD_BYTES: bytes(1_024, 1_048_576)
    .default(32_768)
    .describe('Values above this travel by reference and not inside workflow history, bytes'),
};
