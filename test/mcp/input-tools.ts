import {
  inputRequired,
  MissingRequiredClientCapabilityError,
  type CallToolResult,
  type InputRequests,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { contextOf } from '../../packages/mcp/endpoint/exchange';
import { createCallStates } from '../../packages/mcp/endpoint/task-ids';
import type { McpTool } from '../../packages/mcp/endpoint/sources';
import type { SecretBox } from '../../src/secrets/secret-box';
import { askFor, capabilitiesOf, responsesOf } from './input-requests';
import { defineTool, startsNoRun, textResult } from './tool-definitions';

type Answer = CallToolResult | InputRequiredResult;
type Responses = Readonly<Record<string, unknown>>;

const NAME = askFor('What is your name?', { name: { type: 'string' } });

/**
 * Tools that ask the client for input before they answer, in the way of the revision 2026-07-28. Their states are sealed as
 * those of runs are.
 */
export function inputTools(secrets: SecretBox): McpTool[] {
  const states = createCallStates(secrets);

  /** Asks, with a state that says which step comes next. */
  function ask(exchange: ServerContext, inputRequests: InputRequests, step: string): Answer {
    const { caller } = contextOf(exchange);
    const requestState = states.seal({ workflowId: step, runId: '', tool: '' }, caller);
    return inputRequired({ inputRequests, requestState });
  }
  const stepOf = ({ mcpReq }: ServerContext): string | undefined =>
    mcpReq.requestState<{ readonly workflowId: string }>()?.workflowId;

  /** Asks for a confirmation, and checks that the answer belongs to it. */
  const confirmed = (exchange: ServerContext): Answer =>
    stepOf(exchange) === 'confirm' && responsesOf(exchange)['confirm'] !== undefined
      ? textResult('state-ok')
      : ask(exchange, { confirm: askFor('Please confirm', { ok: { type: 'boolean' } }) }, 'confirm');

  return [
    tool('elicitation', (exchange) => {
      const name = fieldOf(responsesOf(exchange), 'user_name', 'name');
      return name === undefined
        ? inputRequired({ inputRequests: { user_name: NAME } })
        : textResult(`Hello, ${name}!`);
    }),
    tool('sampling', (exchange) => {
      const { capital_question: answer } = responsesOf(exchange);
      return answer === undefined
        ? inputRequired({ inputRequests: { capital_question: askModel('What is the capital of France?') } })
        : textResult(JSON.stringify(answer));
    }),
    tool('list_roots', (exchange) => {
      const { client_roots: roots } = responsesOf(exchange);
      return roots === undefined
        ? inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
        : textResult(JSON.stringify(roots));
    }),
    tool('request_state', confirmed),
    tool('tampered_state', confirmed),
    tool('multiple_inputs', (exchange) => {
      const responses = responsesOf(exchange);
      const questions = {
        user_name: NAME,
        greeting: askModel('Generate a greeting'),
        client_roots: inputRequired.listRoots(),
      };
      const isComplete = Object.keys(questions).every((key) => responses[key] !== undefined);
      return isComplete ? textResult('All inputs are there') : ask(exchange, questions, 'inputs');
    }),
    tool('multi_round', (exchange) => {
      const step = stepOf(exchange);
      const { step1, step2 } = responsesOf(exchange);
      if (step === 'colour' && step2 !== undefined) return textResult('Both rounds are complete');
      if (step !== 'name' || step1 === undefined) return ask(exchange, { step1: NAME }, 'name');
      const colour = askFor('What is your favourite colour?', { color: { type: 'string' } });
      return ask(exchange, { step2: colour }, 'colour');
    }),
    tool('capabilities', (exchange) => {
      const { elicitation, sampling } = capabilitiesOf(exchange);
      return inputRequired({
        inputRequests: {
          ...(elicitation === undefined ? {} : { name: NAME }),
          ...(sampling === undefined ? {} : { answer: askModel('What do you think?') }),
        },
      });
    }),
    answering('test_streaming_elicitation', () => inputRequired({ inputRequests: { name: NAME } })),
    answering('test_missing_capability', (exchange) => {
      if (capabilitiesOf(exchange)['sampling'] !== undefined) return textResult('The client can sample');
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    }),
  ];
}

function tool(name: string, answer: (exchange: ServerContext) => Answer): McpTool {
  return answering(`test_input_required_result_${name}`, answer);
}

function answering(name: string, answer: (exchange: ServerContext) => Answer): McpTool {
  return {
    definition: defineTool(name),
    answer: (_, exchange) => Promise.resolve().then(() => answer(exchange)),
    call: startsNoRun,
  };
}

function askModel(text: string): InputRequests[string] {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 100,
  });
}

/** A field of a form that the client's user filled in. @returns undefined if the form was not accepted */
function fieldOf(responses: Responses, key: string, field: string): string | undefined {
  const response = responses[key] as { readonly action?: string; readonly content?: Responses } | undefined;
  return response?.action === 'accept' ? String(response.content?.[field]) : undefined;
}
