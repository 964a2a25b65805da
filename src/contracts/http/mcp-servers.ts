import { z } from 'zod';

/** Letters, digits, `_` and `-`, the first a letter. Without a dot, so that no two servers share names of tools. */
export const mcpServerNameSchema = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_-]{0,31}$/,
    'A server name has 1 to 32 letters, digits, "_" and "-", and begins with a letter',
  );

export const mcpApprovalSchema = z
  .enum(['planned', 'always', 'never'])
  .describe(
    'Which calls wait for a person: `planned`: those that a planner chose, unless the tool is read-only; `always`: all; `never`: only those that a request names',
  );

const toolNameAtServer = z.string().min(1).max(256);

const secretsSchema = z.record(z.string().max(200), z.string().max(8_192));

/** Scopes of an authorization server (RFC 6749, 3.3). */
const loginScopeSchema = z
  .string()
  .max(2_000)
  .regex(/^[!#-[\]-~]+( [!#-[\]-~]+)*$/, 'must be scopes with a space between them');

/** How the service logs in at a server, by OAuth 2.1 as the protocol describes it. */
const serverAuthSchema = z.strictObject({
  type: z.literal('oauth'),
  clientId: z
    .string()
    .min(1)
    .max(2_000)
    .optional()
    .describe('What the authorization server calls the service; absent: the service registers itself there'),
  clientSecret: z
    .string()
    .min(1)
    .max(8_192)
    .optional()
    .describe('With `clientId`: its secret, encrypted at rest; no answer has it'),
  scope: loginScopeSchema.optional().describe('Scopes to ask for; absent: those that the server names'),
});

/** A remote server as a caller registers it: by `url`, or by `command`. */
export const newMcpServerSchema = z.strictObject({
  name: mcpServerNameSchema,
  url: z.string().max(2_000).optional().describe('Address of its Streamable HTTP endpoint'),
  headers: secretsSchema
    .optional()
    .describe('With `url`: sent with each request, and encrypted at rest; answers have their names alone'),
  auth: serverAuthSchema
    .optional()
    .describe(
      'With `url`: a person logs in at the server, by `POST /api/mcp-servers/{name}/login`, before its tools are used',
    ),
  command: z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe(
      'Instead of `url`: a program that serves by its standard input and output. Only if `MCP_STDIO` allows it, for administrators of the tenant `default`',
    ),
  args: z
    .array(z.string().max(4_096))
    .max(100)
    .optional()
    .describe('With `command`: its arguments, which answers show'),
  env: secretsSchema
    .optional()
    .describe(
      'With `command`: further variables of its environment, encrypted at rest; answers have their names alone',
    ),
  allow: z
    .array(toolNameAtServer)
    .min(1)
    .max(1_000)
    .optional()
    .describe('Names of the tools to take, as the server has them; absent: all'),
  toolTimeoutMs: z
    .int()
    .min(1)
    .max(3_600_000)
    .optional()
    .describe('Time limit of each call, milliseconds; a lower limit of the run applies before it'),
  approval: mcpApprovalSchema.optional(),
});
export type NewMcpServer = z.infer<typeof newMcpServerSchema>;

const usedToolSchema = z.object({
  name: z.string().describe('Its name in this service'),
  tool: z.string().describe('Its name at the server'),
  digest: z.string(),
});
export type UsedTool = Readonly<z.infer<typeof usedToolSchema>>;

const pendingToolSchema = usedToolSchema.extend({
  change: z.enum(['new', 'changed']),
  description: z.string().optional().describe('Absent in the list of all servers'),
});
export type PendingTool = Readonly<z.infer<typeof pendingToolSchema>>;

export const mcpServerSchema = z.object({
  name: z.string(),
  url: z.string().optional().describe('Present unless the server is a command'),
  headers: z.array(z.string()).readonly().optional().describe('Names of the headers'),
  auth: serverAuthSchema.omit({ clientSecret: true }).optional(),
  login: z
    .enum(['required', 'done', 'expired'])
    .optional()
    .describe(
      'With `auth`: whether a person has to log in. Calls fail with `MCP_LOGIN_REQUIRED` unless it is `done`',
    ),
  loginFailure: z
    .object({ at: z.string(), reason: z.string() })
    .optional()
    .describe('Why the last login failed, or could not be renewed'),
  command: z.string().optional(),
  args: z.array(z.string()).readonly().optional(),
  env: z.array(z.string()).readonly().optional().describe('Names of the variables'),
  allow: z.array(z.string()).readonly().optional(),
  toolTimeoutMs: z.number().optional(),
  approval: mcpApprovalSchema,
  addedAt: z.string(),
  protocol: z
    .string()
    .optional()
    .describe('The revision of the protocol that it speaks; absent before the first login'),
  listedAt: z.string().optional().describe('When its tools were last listed; absent before the first login'),
  away: z
    .object({ since: z.string(), reason: z.string() })
    .optional()
    .describe('Present if the tools could not be listed since'),
  tools: z.array(usedToolSchema).readonly(),
  pending: z
    .object({ digest: z.string(), tools: z.array(pendingToolSchema).readonly() })
    .optional()
    .describe('Tools that are used only once they are confirmed; `digest` names this list'),
  skipped: z
    .array(z.object({ tool: z.string(), reason: z.string() }))
    .readonly()
    .describe('Tools that cannot be used'),
});
export type McpServerView = z.infer<typeof mcpServerSchema>;

/** Where a person logs in at a server. */
export const mcpLoginSchema = z.object({
  authorizationUrl: z.string().describe('To be opened in the browser of the person who logs in'),
  expiresAt: z.iso.datetime(),
});
