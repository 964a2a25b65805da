import { z } from 'zod';
import { deadlineFields, ON_DENIED } from './approvals';
import { BUDGET_LIMITS, runUsageSchema } from './budgets';
import { tokenUsageSchema } from './llm';
import { MAX_ITEMS, MAX_STEPS } from '../workflow-limits';
import { jsonObjectSchema } from './text-schema';

/** The id of a step, which is also the root of the templates that refer to the step. */
const STEP_ID = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
/** The roots of templates besides ids of steps and names of inputs. */
export const TEMPLATE_ROOTS = ['input', 'previous_result', 'item', 'index'] as const;
const MAX_CONCURRENCY = 50;
const DEFAULT_CONCURRENCY = 10;
const MAX_ATTEMPTS = 20;
const TEXT_LENGTH = 100_000;

export const STEP_TYPES = ['api_call', 'llm_call', 'tool_execution'] as const;
const stepId = z
  .string()
  .regex(STEP_ID, 'must begin with a letter or _ and have at most 64 letters, digits, _ or -');
const text = z.string().max(TEXT_LENGTH, `must have at most ${TEXT_LENGTH} characters`);
const name = z.string().min(1, 'must not be empty').max(200, 'must have at most 200 characters');
/**
 * A template in place of a value of another type. The search from one pair of braces ends at the next pair, so that it takes
 * time proportional to the length of the text.
 */
const template = z
  .string()
  .regex(/\{\{(?:(?!\{\{)[^\n\r\u2028\u2029])*?\}\}/, 'must have the type of the field, or be a template');
const orTemplate = <T extends z.ZodType>(schema: T) => z.union([schema, template]);

const status = z.union([z.number().int(), z.string()]);

const apiCallConfig = z.strictObject({
  url: z.string().min(1, 'must not be empty').max(8_192).describe('An http or https address'),
  method: z.string().max(500).optional().describe('GET if left out'),
  headers: orTemplate(z.record(z.string(), z.unknown())).optional().describe('By name'),
  params: orTemplate(z.record(z.string(), z.unknown()))
    .optional()
    .describe('Added to the query of the URL; an array repeats its name, null leaves it out'),
  body: z
    .unknown()
    .optional()
    .describe('A string is sent as it is, an object as the Content-Type says: form-urlencoded or JSON'),
  form: z.unknown().optional().describe('The parts of a multipart form: [{ name, content, filename, … }]'),
  parse: z
    .string()
    .max(500)
    .optional()
    .describe('json, text or base64: how the body of the response is read'),
  paginate: z.unknown().optional().describe('Reads the pages of a list: { next, items, max, param }'),
  expect: z
    .union([status, z.array(status)])
    .optional()
    .describe('The statuses that are a success, as in 201, "2xx", "200-299"; any other fails the step'),
  repeatable: orTemplate(z.boolean())
    .optional()
    .describe('A POST, PUT, PATCH or DELETE may be sent again when its outcome is unknown'),
});

const llmCallConfig = z.strictObject({
  prompt: text.min(1, 'must not be empty').describe('What the model is asked'),
  system: text.optional().describe('Instructions that come before the prompt'),
  model: z.string().max(200).optional().describe("A model's or a provider's name"),
  temperature: z.number().min(0).max(1).optional().describe('How varied the answers are'),
  maxTokens: z.number().int().min(1).max(100_000).optional().describe('Where the text is cut off'),
  topP: z.number().min(0).max(1).optional().describe('The share of likely tokens that are considered'),
  schema: jsonObjectSchema
    .optional()
    .describe('A JSON Schema that the answer has to fit; the result is then the value and no text'),
});

const toolExecutionConfig = z.strictObject({
  toolName: z.string().min(1, 'must not be empty').max(64).describe('The name of a registered tool'),
  args: jsonObjectSchema.default({}).describe('As the schema of the tool says; texts may have templates'),
});

const retrySchema = z.strictObject({
  maximumAttempts: z.number().int().min(1).max(MAX_ATTEMPTS).optional().describe('The first one included'),
  initialInterval: z.number().int().min(1).max(60_000).optional().describe('ms'),
  backoffCoefficient: z.number().min(1).max(10).optional().describe('Each wait is this many times longer'),
  maximumInterval: z.number().int().min(1).max(600_000).optional().describe('ms'),
});
const forEachSchema = z.strictObject({
  items: z
    .union([z.array(z.unknown()).max(MAX_ITEMS, `must have at most ${MAX_ITEMS} items`), template])
    .describe(`At most ${MAX_ITEMS} in one run; each item is {{item}}, its index from 0 is {{index}}`),
  concurrency: z
    .number()
    .int()
    .min(1)
    .max(MAX_CONCURRENCY)
    .default(DEFAULT_CONCURRENCY)
    .describe('How many items are worked on at once'),
});

const common = {
  id: stepId.describe('Templates refer to the step by it, as in {{fetch.result}}'),
  name: name.optional().describe('What lists and logs show; the id if left out'),
  description: z.string().max(2_000).optional().describe('What the step is for; it has no effect'),
  timeout: z.number().int().min(1).max(600_000).optional().describe('Time limit of a call, ms'),
  retry: retrySchema.optional().describe('How often a failed call is made again, and when'),
  continueOnError: z
    .boolean()
    .optional()
    .describe('A failure is reported in the result, and the run continues'),
  when: z
    .string()
    .min(1, 'must not be empty')
    .max(4_000)
    .optional()
    .describe('The step is skipped if this condition is false, as in {{fetch.result.status}} == 200'),
  dependsOn: z
    .array(stepId)
    .max(MAX_STEPS)
    .optional()
    .describe('Ids of earlier steps that this step waits for; absent: the step before it; []: none'),
  forEach: forEachSchema.optional().describe('The step runs once for each item; its result is the list'),
  approval: z
    .union([
      z.literal(true),
      z.strictObject({
        message: z.string().max(1_000).optional().describe('What the person is asked'),
        ...deadlineFields,
        onDenied: z
          .enum(ON_DENIED)
          .optional()
          .describe('`continue`: a denied step is skipped; default `fail`, which fails the run'),
      }),
    ])
    .optional()
    .describe('The step waits until a person approves its call; with forEach that of each item'),
};

const stepType = <T extends string>(type: T, description: string) => z.literal(type).describe(description);

export const workflowStepSchema = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ ...common, type: stepType('api_call', 'Sends an HTTP request'), config: apiCallConfig }),
    z.strictObject({ ...common, type: stepType('llm_call', 'Asks a model'), config: llmCallConfig }),
    z.strictObject({
      ...common,
      type: stepType('tool_execution', 'Runs a tool'),
      config: toolExecutionConfig,
    }),
  ],
  {
    error: `must be one of ${STEP_TYPES.join(', ')}`,
  },
);
export type WorkflowStep = z.infer<typeof workflowStepSchema>;

/** The fields that steps of all types have. */
export const commonStepFields = common;

const $schema = z
  .string()
  .max(2_000)
  .optional()
  .describe('The address of the JSON Schema, for editors; it has no effect');

export const workflowDefinitionSchema = z.strictObject({
  $schema,
  name: name.describe('What the workflow does, in a few words'),
  description: z.string().max(4_000).optional().describe('What the workflow is for; it has no effect'),
  steps: z
    .array(workflowStepSchema)
    .min(1, 'must have at least one step')
    .max(MAX_STEPS, `must have at most ${MAX_STEPS} steps`)
    .describe('The steps in their order; each waits for the one before it, unless it has dependsOn'),
});

/** A mistake in a definition. */
export const workflowProblemSchema = z.object({
  step: z
    .string()
    .nullable()
    .describe('The id of the step, or its place, as in `steps[2]`; null: the problem is in no single step'),
  field: z.string().describe('The path inside the step, as in `config.url`, or inside the request'),
  message: z.string(),
});
export type WorkflowProblem = z.infer<typeof workflowProblemSchema>;
/** An input that a predefined workflow takes, as its details show it. */
const workflowInputSchema = z.object({
  description: z.string(),
  required: z.boolean(),
  default: z.unknown().optional(),
  type: z.string().optional().describe('Absent if the input takes any value'),
});

export const predefinedWorkflowSchema = z.strictObject({
  $schema,
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must have at most 64 lower-case letters, digits and hyphens'),
  name,
  description: z.string().max(4_000).default(''),
  estimatedTime: z.string().max(100).optional(),
  // A separate reader refuses invalid inputs, with a message that names the input.
  inputs: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('The inputs by name, or a JSON Schema whose type is object'),
  steps: workflowDefinitionSchema.shape.steps,
});
/** A workflow that is stored to be run by its id. */
export type PredefinedWorkflow = Omit<z.infer<typeof predefinedWorkflowSchema>, '$schema'>;

export const STEP_STATES = ['completed', 'failed', 'skipped'] as const;

const answerSchema = z
  .object({
    status: z.number(),
    data: z.unknown().optional().describe('Absent or a note of its length if it is long'),
    encoding: z.literal('base64').optional(),
    headers: z.record(z.string(), z.string()).optional(),
  })
  .describe('The response of an api_call that `expect` does not have');

export const stepOutcomeSchema = z.object({
  status: z.enum(STEP_STATES),
  /** Null if the step failed or was skipped. */
  result: z.unknown(),
  /** Milliseconds, without the wait for other steps. */
  executionTime: z.number(),
  error: z
    .object({ code: z.string(), message: z.string(), answer: answerSchema.optional() })
    .optional()
    .describe('Why a step failed that has continueOnError, or was denied and the run continued'),
  errors: z
    .array(
      z.object({
        index: z.number(),
        url: z.string().optional().describe('Where the call of the item went, if it is an api_call'),
        code: z.string(),
        message: z.string(),
        answer: answerSchema.optional(),
      }),
    )
    .optional()
    .describe(
      'The items of a forEach step that failed, or were denied, and the run continued; their result is null',
    ),
  provider: z.string().optional(),
  model: z.string().optional(),
  usage: tokenUsageSchema.optional(),
  finishReason: z.literal('length').optional().describe('The text was cut off at maxTokens'),
  logs: z.array(z.string()).readonly().optional(),
});
export type StepOutcome = z.infer<typeof stepOutcomeSchema>;

export const customWorkflowResultSchema = z.object({
  workflowId: z.string(),
  status: z.literal('completed'),
  results: z.record(z.string(), stepOutcomeSchema),
  /** Milliseconds. */
  executionTime: z.number(),
  traceId: z.string(),
});
export type CustomWorkflowResult = z.infer<typeof customWorkflowResultSchema>;

export const dryRunResultSchema = z.object({
  status: z.literal('valid'),
  name: z.string(),
  steps: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      waitsFor: z.array(z.string()).readonly(),
      /** The configuration, with all values filled in that are known before the run. */
      config: z.record(z.string(), z.unknown()),
    }),
  ),
});
export type DryRunResult = z.infer<typeof dryRunResultSchema>;

export const plannerLoopResultSchema = z.object({
  success: z.boolean().describe('False if the run stopped at maxIterations with work left'),
  finalResult: z.unknown(),
  allResults: z
    .record(z.string(), z.unknown())
    .describe('Keyed by tool name; further results of a tool as name_2, name_3, …'),
  executionOrder: z.array(z.string()).readonly(),
  errors: z
    .array(z.object({ stepNumber: z.number(), toolName: z.string(), code: z.string(), error: z.string() }))
    .readonly(),
  /** Milliseconds. */
  executionTime: z.number(),
  traceId: z.string(),
  workflowId: z.string(),
  answer: z.string().describe("The planner's last message"),
  iterations: z.number(),
  exceeded: z
    .enum(BUDGET_LIMITS)
    .optional()
    .describe('The limit of the budget that ended the work, if the run then answered from what was there'),
  usage: runUsageSchema.optional().describe('Absent in runs of earlier builds'),
  llmUsage: tokenUsageSchema,
  provider: z.string(),
  model: z.string(),
});

export const toolFromQueryResultSchema = z.object({
  result: z.unknown(),
  /** Milliseconds. */
  executionTime: z.number(),
  toolName: z.string(),
  extractedArgs: z.record(z.string(), z.unknown()),
  usage: runUsageSchema.optional().describe('Absent in runs of earlier builds'),
  llmUsage: tokenUsageSchema,
  provider: z.string(),
  model: z.string(),
  logs: z.array(z.string()).readonly().optional(),
});

/** A predefined workflow in a list. */
export const workflowListItemSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  steps: z.number(),
  estimatedTime: z.string(),
});

export const workflowDetailSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  steps: z.array(
    z
      .looseObject({
        id: z.string(),
        name: z.string(),
        type: z.enum(STEP_TYPES),
        description: z.string(),
        config: z.record(z.string(), z.unknown()),
      })
      .describe('The step as it was stored, with its options'),
  ),
  estimatedTime: z.string(),
  requiredTools: z.array(z.string()),
  inputs: z.record(z.string(), workflowInputSchema),
  inputSchema: z.record(z.string(), z.unknown()).describe('The inputs as JSON Schema'),
  builtin: z.boolean(),
});
