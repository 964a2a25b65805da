import type { z } from 'zod';
import { issuedKeySchema, listedKeySchema } from '../src/contracts/http/access';
import { agentAnswerSchema } from '../src/contracts/http/agent';
import { approvalSchema } from '../src/contracts/http/approvals';
import { budgetLimitsSchema, runUsageSchema } from '../src/contracts/http/budgets';
import { degradationSchema } from '../src/contracts/http/conversations';
import { basicHealthSchema, detailedHealthSchema } from '../src/contracts/http/health';
import { classificationSchema, intentSchema } from '../src/contracts/http/intents';
import { tokenUsageSchema } from '../src/contracts/http/llm';
import { mcpServerSchema } from '../src/contracts/http/mcp-servers';
import {
  episodicMemorySchema,
  explanationSchema,
  foundEpisodicSchema,
  foundMemoriesSchema,
  foundSemanticSchema,
  semanticMemorySchema,
  semanticMetadataSchema,
} from '../src/contracts/http/memory';
import { chatAnswerSchema, chatMessageSchema, memoryInsightsSchema } from '../src/contracts/http/memory-chat';
import {
  runErrorSchema,
  runEventSchema,
  runSignSchema,
  runStepSchema,
  stepsUsageSchema,
} from '../src/contracts/http/run-events';
import {
  multipleToolsResultSchema,
  singleToolResultSchema,
  toolDefinitionSchema,
  toolSchema,
} from '../src/contracts/http/tools';
import {
  customWorkflowResultSchema,
  plannerLoopResultSchema,
  workflowDefinitionSchema,
  workflowDetailSchema,
  workflowProblemSchema,
  workflowStepSchema,
} from '../src/contracts/http/workflows';
import { dateSchema, timeSchema } from '../src/contracts/http/time-schemas';
import { factSchema } from './memory/fact-requests';
import { deliverySchema } from '../src/contracts/http/webhooks';
import { plannerApprovalOption, budgetOption, webhookOption } from '../requests/run-options';
import { runSchema } from './runs/run-schema';
import { stepSchema } from './runs/step-routes';
import { allowOption } from '../requests/request-options';

/** The schemas that the OpenAPI document of the main API has by name, once, so that generated clients have types of these names. */
export const API_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  AgentAnswer: agentAnswerSchema,
  AllowOption: allowOption,
  Approval: approvalSchema,
  BudgetLimits: budgetLimitsSchema,
  BudgetOption: budgetOption,
  CalendarDate: dateSchema,
  ChatAnswer: chatAnswerSchema,
  ChatMessage: chatMessageSchema,
  Classification: classificationSchema,
  CustomWorkflowResult: customWorkflowResultSchema,
  Degradation: degradationSchema,
  Delivery: deliverySchema,
  DetailedHealth: detailedHealthSchema,
  EpisodicMemory: episodicMemorySchema,
  Fact: factSchema,
  FoundEpisodicMemory: foundEpisodicSchema,
  FoundMemories: foundMemoriesSchema,
  FoundSemanticMemory: foundSemanticSchema,
  Health: basicHealthSchema,
  Intent: intentSchema,
  IssuedKey: issuedKeySchema,
  Key: listedKeySchema,
  McpServer: mcpServerSchema,
  MemoryInsights: memoryInsightsSchema,
  PlannedResult: plannerLoopResultSchema,
  PlannerApprovalOption: plannerApprovalOption,
  RankExplanation: explanationSchema,
  Run: runSchema,
  RunError: runErrorSchema,
  RunEvent: runEventSchema,
  RunSign: runSignSchema,
  RunStep: runStepSchema,
  RunStepDetail: stepSchema,
  RunUsage: runUsageSchema,
  SemanticMemory: semanticMemorySchema,
  SemanticMetadata: semanticMetadataSchema,
  StepsUsage: stepsUsageSchema,
  Timestamp: timeSchema,
  TokenUsage: tokenUsageSchema,
  Tool: toolSchema,
  ToolDefinition: toolDefinitionSchema,
  ToolResult: singleToolResultSchema,
  ToolResults: multipleToolsResultSchema,
  WebhookOption: webhookOption,
  Workflow: workflowDetailSchema,
  WorkflowDefinition: workflowDefinitionSchema,
  WorkflowProblem: workflowProblemSchema,
  WorkflowStep: workflowStepSchema,
};
