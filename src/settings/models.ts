import { z } from 'zod';
import { ON_EXCEEDED } from '../contracts/http/budgets';
import { count, dollars, httpAddress, milliseconds } from './fields';
import { DEFAULT_LOCAL_MODEL } from '../contracts/constants';

export const modelSettings = {
  PLANNER_MAX_ITERATIONS: count(1, 100)
    .default(10)
    .describe('Most turns a planner runs tools in, and the most a request may ask for'),
  PLANNER_MAX_REPLANS: count(0, 20)
    .default(2)
    .describe("How often a planner may go on after a tool's failure, a run"),
  PLANNER_MAX_TOKENS: count(64, 100_000)
    .default(1_024)
    .describe(
      'Most tokens of an answer that chooses tools, if the request names none; one that was cut off in its thoughts or words is asked for once more with four times as many',
    ),
  BUDGET_MAX_TOKENS: count(1, 1_000_000_000)
    .optional()
    .describe('Most tokens of a run that plans, and its limit if the request names none; absent: no limit'),
  BUDGET_MAX_COST_USD: dollars.optional().describe('The same for what its model calls cost, US dollars'),
  BUDGET_MAX_MODEL_CALLS: count(1, 1_000_000).optional().describe('The same for model calls'),
  BUDGET_MAX_TOOL_CALLS: count(0, 1_000_000).optional().describe('The same for tool calls'),
  BUDGET_MAX_DURATION_MS: milliseconds(1_000, 86_400_000)
    .optional()
    .describe('The same for the time in which it works, without waits for people, ms'),
  BUDGET_ON_EXCEEDED: z
    .enum(ON_EXCEEDED)
    .default('fail')
    .describe('What a run does at a limit of its budget, if the request does not say'),
  BUDGET_PERIOD: z
    .enum(['day', 'month'])
    .default('day')
    .describe('Over what users and sessions are limited, of UTC'),
  BUDGET_USER_MAX_TOKENS: count(1, 1_000_000_000_000)
    .optional()
    .describe('Most tokens of the turns of a user in a period; absent: no limit'),
  BUDGET_USER_MAX_COST_USD: dollars.optional().describe('The same for what they cost, US dollars'),
  BUDGET_SESSION_MAX_TOKENS: count(1, 1_000_000_000_000)
    .optional()
    .describe('Most tokens of the turns of a session in a period; absent: no limit'),
  BUDGET_SESSION_MAX_COST_USD: dollars.optional().describe('The same for what they cost, US dollars'),
  MODEL_PRICES_FILE: z
    .string()
    .optional()
    .describe('JSON file with prices of models, which count before the list prices that are built in'),
  LLM_PROVIDER: z
    .enum(['auto', 'hosted', 'local', 'builtin'])
    .default('auto')
    .describe(
      'Model provider; auto: hosted if OPENAI_API_KEY is set, else local if LOCAL_LLM_BASE_URL is, else builtin unless PLAIN_ENGLISH is off',
    ),
  PLAIN_ENGLISH: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'Built-in rules that read English if no language model is asked (packages/plain-english); off: sentences take a model, and turns without one quote memory',
    ),
  OPENAI_API_KEY: z.string().optional().describe('Key of the hosted model provider'),
  OPENAI_BASE_URL: httpAddress.optional().describe('Address of the hosted model provider, if not its own'),
  OPENAI_MODEL: z.string().default('gpt-5.4-mini').describe('Default model of the hosted provider'),
  LOCAL_LLM_BASE_URL: httpAddress
    .optional()
    .describe('Address of an OpenAI-compatible model server, such as http://localhost:11434/v1'),
  LOCAL_LLM_MODEL: z
    .string()
    .default(DEFAULT_LOCAL_MODEL)
    .describe('Default model of the local provider; if it is not set and the server has a single one, that'),
  LOCAL_LLM_API_KEY: z.string().optional().describe('Key of the local provider, if it wants one'),
  LLM_DISCOVER: z
    .enum(['yes', 'no'])
    .default('no')
    .describe(
      'Whether `npm start` with LLM_PROVIDER=auto and no model configured uses the first model server that answers on this machine at 11434, 1234, 8080 or 8000. yes: what users say goes to whichever program holds that port; no: at a terminal, a line says how to use it',
    ),
  LLM_TIMEOUT_MS: milliseconds(100, 600_000)
    .default(45_000)
    .describe(
      'Longest a model call may take from when it is sent, retries included, ms; below WAIT_LIMIT_MS, so that the caller gets the error itself',
    ),
  CLASSIFY_FIRST: z
    .enum(['auto', 'rules', 'model'])
    .default('auto')
    .describe(
      'Who classifies a message first; auto: the built-in rules if the model is local, else the model. Rules that are unsure ask the model',
    ),
  CLASSIFY_TIMEOUT_MS: milliseconds(100, 600_000)
    .default(5_000)
    .describe('Longest a model may take to classify a message of the agent, ms'),
  LLM_MAX_CONCURRENT: count(1, 10_000)
    .optional()
    .describe(
      'Most requests that a process has open at each model provider at once; further calls wait in it. Absent: as many as the local server says that it works on (llama.cpp), else no limit',
    ),
  OPENAI_CONTEXT_TOKENS: count(512, 10_000_000)
    .optional()
    .describe(
      'How many tokens of prompt and answer together models of the hosted provider read; absent: what is published of the model',
    ),
  LOCAL_LLM_CONTEXT_TOKENS: count(512, 10_000_000)
    .optional()
    .describe('The same for the local provider; absent: what its server says'),
  LLM_MAX_WAIT_MS: milliseconds(100, 3_600_000)
    .default(300_000)
    .describe('Longest a model call waits for the calls before it, before its own time begins, ms'),
  LLM_MAX_ATTEMPTS: count(1, 10).default(3).describe('Most attempts at a model call that fails transiently'),
};

/** Of a secret that a person chooses. */
const MIN_SECRET_LENGTH = 32;

export const intentSettings = {
  MAX_BATCH_QUERIES: count(1, 1_000).default(1_000).describe('Most queries in one batch of classifications'),
  SECRETS_KEY: z
    .string()
    .optional()
    .describe(
      'Key for credentials at rest, 64 hexadecimal digits or base64 of 32 bytes, the same for all processes; absent: one is made in DATA_DIR',
    ),
  REDACT_FIELDS: z
    .string()
    .default('')
    .describe(
      'Names of further headers and fields that carry credentials, comma-separated, without regard to case and separators, the same for all processes; their values are not shown',
    ),
  APPROVAL_LINK_SECRET: z
    .string()
    .min(MIN_SECRET_LENGTH, `must have at least ${MIN_SECRET_LENGTH} characters`)
    .optional()
    .describe(
      'What links to approvals are signed with, at least 32 characters, the same for all APIs; another one makes earlier links useless; absent: a key derived from SECRETS_KEY, or from the one in DATA_DIR',
    ),
};
