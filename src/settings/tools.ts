import { z } from 'zod';
import { BUILTIN_TOOL_NAMES, NAME_SOURCES } from '../contracts/constants';
import { bytes, count, flag, httpAddress } from './fields';

export const reachSettings = {
  EGRESS_ALLOW_PRIVATE: flag
    .optional()
    .describe(
      'Whether tools may call loopback and private addresses, in the runs that an API starts; absent: only in `npm start` while HOST is loopback, AUTH is off and ALLOWED_HOSTS is empty. In a worker, false refuses them for all runs',
    ),
  EGRESS_DNS: z
    .enum(NAME_SOURCES)
    .default('servers')
    .describe(
      'How names that callers choose are looked up: servers (hosts file, name servers and search domains) or system (everything that the system knows, such as mDNS, one name at a time for each tenant)',
    ),
  EGRESS_MAX_BODY_BYTES: bytes(1_024, 64 * 1_048_576)
    .default(4 * 1_048_576)
    .describe('Largest response body a tool may fetch, bytes'),
  PLANNER_ALLOW_HOSTS: z
    .string()
    .default('')
    .describe(
      'Hosts that planned calls may reach beside those that the sentence names, comma-separated: example.com, example.com:8443, *.example.com, or * for every host',
    ),
  PLANNER_ALLOW_FILES: z
    .string()
    .default('')
    .describe(
      'Files that planned calls may read beside those that the sentence names, comma-separated: a path, a folder such as reports/, or * for every file',
    ),
  BUILTIN_TOOLS: z
    .string()
    .default(BUILTIN_TOOL_NAMES.join())
    .describe(
      'Built-in tools that are switched on, comma-separated, or none; an API offers no other one, and a worker runs none',
    ),
  EXTERNAL_QUEUES: z
    .string()
    .default('')
    .describe(
      'Task queues of other workers on which callers with the scope tools may register activities and workflows as tools, comma-separated: queue for the default tenant, queue@tenant for another; APIs and workers need the same list',
    ),
  FILE_ROOT: z
    .string()
    .optional()
    .describe(
      'Folder file_read may read; absent: files/ in DATA_DIR. It may hold nothing of what the service keeps in DATA_DIR',
    ),
  FILE_MAX_BYTES: bytes(1, 64 * 1_048_576)
    .default(1_048_576)
    .describe('Largest file file_read returns, bytes'),
  WEATHER_FORECAST_URL: httpAddress
    .default('https://api.open-meteo.com')
    .describe('Base address of the Open-Meteo forecast API'),
  WEATHER_GEOCODING_URL: httpAddress
    .default('https://geocoding-api.open-meteo.com')
    .describe('Base address of the Open-Meteo geocoding API'),
};

export const sandboxSettings = {
  SANDBOX_THREADS: count(1, 64)
    .default(4)
    .describe(
      'Most threads running registered tools at once, a worker process. One tenant uses at most half of them, and one user half of that; with 1, callers wait for each other',
    ),
  SANDBOX_MEMORY_BYTES: bytes(16 * 1_048_576, 1_073_741_824)
    .default(32 * 1_048_576)
    .describe("Memory of one registered tool's run, bytes"),
};
