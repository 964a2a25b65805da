import { z } from 'zod';
import { approvalSchema } from './approvals';
import { runUsageSchema } from './budgets';
import { tokenUsageSchema } from './llm';

/** What ends the log of a run. */
export const RUN_ENDS = [
  'run.completed',
  'run.failed',
  'run.cancelled',
  'run.terminated',
  'run.timed_out',
] as const;
/** What a log of a run has. */
export const RUN_EVENTS = [
  'run.started',
  'run.waiting',
  'step.scheduled',
  'step.completed',
  'step.failed',
  'approval.requested',
  'approval.answered',
  ...RUN_ENDS,
] as const;

export const STEP_KINDS = ['tool', 'model', 'memory', 'records', 'run', 'other'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

export const runErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  details: z.unknown().optional(),
});
export type RunError = Readonly<z.infer<typeof runErrorSchema>>;

const runStepNameSchema = z.object({
  id: z
    .string()
    .describe(
      'Unique in the run. For a tool call the id of the step of a custom workflow, or its position from 1; with `[n]` for ' +
        'an item of forEach, from 0',
    ),
  name: z.string().describe('The tool, or the Temporal activity of another step'),
  kind: z.enum(STEP_KINDS),
  attempt: z.int().describe('From 1'),
});
export type RunStepName = Readonly<z.infer<typeof runStepNameSchema>>;

const base = { runId: z.string(), time: z.iso.datetime().describe('By the clock of the Temporal server') };

/** An event of the log of a run. It is the same live, later and from any process. */
export const runEventSchema = z.object({
  type: z.enum(RUN_EVENTS),
  ...base,
  sequence: z.int().describe('1 for the first event of the run, one more for each'),
  step: runStepNameSchema.optional().describe('With `step.*`'),
  workflowId: z.string().optional().describe('With `run.started`'),
  workflowType: z.string().optional().describe('With `run.started`'),
  summary: z.string().optional().describe('What the step does, in one line, as the Temporal UI shows it'),
  reason: z
    .string()
    .optional()
    .describe('With `run.waiting`: `earlier-turn`; with `run.failed`: `budget_exhausted`, if that was why'),
  approval: approvalSchema.optional().describe('With `approval.*`'),
  executionTime: z.number().optional().describe('With `step.*` of a tool: how long it ran, milliseconds'),
  childTraceId: z
    .string()
    .optional()
    .describe('With `step.completed` and `step.failed` of a run: its `traceId`'),
  output: z
    .unknown()
    .optional()
    .describe('With `step.completed` of a tool; a note of its length if it is long'),
  text: z.string().optional().describe('With `step.completed` of a model: all that it said'),
  provider: z.string().optional(),
  model: z.string().optional(),
  usage: tokenUsageSchema.optional().describe('With `step.completed` of a model'),
  costUsd: z
    .number()
    .nullable()
    .optional()
    .describe('With `usage` of a run that keeps prices: US dollars, null for a model without a price'),
  lastError: runErrorSchema.optional().describe('Why the attempt before failed'),
  error: runErrorSchema.optional().describe('With `step.failed`, and with the end of a run without a result'),
  result: z.unknown().optional().describe('With `run.completed`: `data` of the synchronous response'),
});
export type RunEvent = Readonly<z.infer<typeof runEventSchema>>;

const RUN_SIGNS = ['step.started', 'step.retrying', 'message.delta'] as const;

/** A sign of life of a run that is only sent to those who follow it at the moment, without a sequence. */
export const runSignSchema = z.object({
  type: z.enum(RUN_SIGNS),
  ...base,
  step: runStepNameSchema,
  lastError: runErrorSchema.optional(),
  offset: z.int().optional().describe('With `message.delta`: where its text begins in the whole text'),
  text: z.string().optional().describe('With `message.delta`: what a model has said since the one before'),
});
export type RunSign = Readonly<z.infer<typeof runSignSchema>>;

/** A step of a run, as the record of the run has it. */
export const runStepSchema = runStepNameSchema.omit({ attempt: true }).extend({
  status: z.enum(['scheduled', 'running', 'retrying', 'completed', 'failed', 'cancelled']),
  attempts: z.int(),
  scheduledAt: z.iso.datetime(),
  endedAt: z.iso.datetime().optional(),
  executionTime: z.number().optional().describe('How long the tool itself ran, milliseconds'),
  error: runErrorSchema
    .optional()
    .describe('Of a failed step; of a retrying one, that of the attempt before'),
  childTraceId: z.string().optional().describe('Of a step that was a run: its `traceId`'),
  tokens: tokenUsageSchema.optional(),
});
export type RunStep = Readonly<z.infer<typeof runStepSchema>>;

/** What all steps of a run together used. */
export const stepsUsageSchema = tokenUsageSchema.extend(
  runUsageSchema.pick({ costUsd: true, modelCalls: true, toolCalls: true }).partial().shape,
);
export type StepsUsage = Readonly<z.infer<typeof stepsUsageSchema>>;

/** Whether an event is the last of its run. Pure. */
export function isRunEnd({ type }: Pick<RunEvent, 'type'>): boolean {
  return (RUN_ENDS as readonly string[]).includes(type);
}
