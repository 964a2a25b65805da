import { defaultPayloadConverter } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import type { Stage } from './stage';

const { CommandType } = temporal.api.enums.v1;
type Command = temporal.api.command.v1.ICommand;

/** Takes one workflow task of a stage without a worker, and answers it with a command. */
export async function answerTask({ client, taskQueue }: Stage, command: Command): Promise<void> {
  const { connection } = client;
  const { taskToken } = await connection.withDeadline(Date.now() + 10_000, () =>
    connection.workflowService.pollWorkflowTaskQueue({
      namespace: 'default',
      taskQueue: { name: taskQueue },
      identity: 'test',
    }),
  );
  await connection.workflowService.respondWorkflowTaskCompleted({
    namespace: 'default',
    taskToken,
    commands: [command],
  });
}

export const continueAsNew = ({ taskQueue }: Stage, type: string): Command => ({
  commandType: CommandType.COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION,
  continueAsNewWorkflowExecutionCommandAttributes: {
    workflowType: { name: type },
    taskQueue: { name: taskQueue },
  },
});

export const complete = (result: unknown): Command => ({
  commandType: CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION,
  completeWorkflowExecutionCommandAttributes: {
    result: { payloads: [defaultPayloadConverter.toPayload(result)] },
  },
});

export const fail = (code: string): Command => ({
  commandType: CommandType.COMMAND_TYPE_FAIL_WORKFLOW_EXECUTION,
  failWorkflowExecutionCommandAttributes: {
    failure: { message: 'no luck', applicationFailureInfo: { type: code } },
  },
});

export const cancel = (): Command => ({
  commandType: CommandType.COMMAND_TYPE_CANCEL_WORKFLOW_EXECUTION,
  cancelWorkflowExecutionCommandAttributes: {},
});
