import type { Model } from 'openai/resources/models';
import { HoldfastError } from '../../src/base/errors';
import type { JsonSchema } from '../../src/contracts/http/tools';
import { headOf } from '../../src/workflow-definitions/workflow-head';
import type { OpenAiOperation, OpenAiServices } from './ports';

/** The name of the service's own agent as a model, with which all other names begin. */
const OWN_NAME = 'holdfast';
const WORKFLOW_PREFIX = `${OWN_NAME}/workflow/`;
const AGENT_PREFIX = `${OWN_NAME}/`;

/** What a model's name stands for. */
export type ModelTarget =
  | { readonly kind: 'agent'; /** Absent: the service's own. */ readonly agent?: string }
  | {
      readonly kind: 'workflow';
      readonly workflow: string;
      /** The input that takes the message. */
      readonly input: string;
    };

/** Lists what callers may name as a model, and looks up one of them. */
export const modelOperations: readonly OpenAiOperation[] = [
  {
    method: 'get',
    path: '/v1/models',
    access: 'run',
    async handler(_input, { services }) {
      const data = (await listModels(services)).map(describeModel);
      return { body: { object: 'list', data } };
    },
  },
  {
    method: 'get',
    path: '/v1/models/*id',
    access: 'run',
    async handler({ params: { id = '' } }, { services }) {
      await resolveModel(id, services);
      return { body: describeModel(id) };
    },
  },
];

/** Nothing has a time of creation that callers could use, so that of each is 0. */
function describeModel(id: string): Model {
  return { id, object: 'model', created: 0, owned_by: OWN_NAME };
}

async function listModels({ agents, catalogue }: OpenAiServices): Promise<string[]> {
  const [named, workflows] = await Promise.all([agents.list(), catalogue.list()]);
  return [
    OWN_NAME,
    ...named.map(({ id }) => AGENT_PREFIX + id),
    ...workflows
      .filter(({ inputSchema }) => textInputOf(inputSchema) !== undefined)
      .map(({ id }) => WORKFLOW_PREFIX + id),
  ];
}

/** @throws HoldfastError `AGENT_NOT_FOUND`, `WORKFLOW_NOT_FOUND`, which callers read as `model_not_found` */
export async function resolveModel(
  name: string,
  { agents, catalogue }: OpenAiServices,
): Promise<ModelTarget> {
  if (name === OWN_NAME) return { kind: 'agent' };
  try {
    if (name.startsWith(WORKFLOW_PREFIX)) {
      const workflow = name.slice(WORKFLOW_PREFIX.length);
      const input = textInputOf(headOf(await catalogue.get(workflow)).inputSchema);
      if (input !== undefined) return { kind: 'workflow', workflow, input };
    } else if (name.startsWith(AGENT_PREFIX)) {
      const { id } = await agents.get(name.slice(AGENT_PREFIX.length));
      return { kind: 'agent', agent: id };
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  throw new HoldfastError(
    'AGENT_NOT_FOUND',
    `The model "${name}" does not exist; GET /v1/models lists those that do`,
  );
}

function isMissing(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === 'AGENT_NOT_FOUND' || code === 'WORKFLOW_NOT_FOUND' || code === 'VALIDATION';
}

/** The input of a workflow that a message can be: its only required one, if that is a text. Pure. */
export function textInputOf({ properties = {}, required = [] }: JsonSchema): string | undefined {
  const [name, ...others] = required as readonly string[];
  if (name === undefined || others.length > 0) return undefined;
  const declared = (properties as Readonly<Record<string, { readonly type?: unknown }>>)[name];
  return declared?.type === 'string' ? name : undefined;
}
