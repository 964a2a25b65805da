import { ApplicationFailure, Context } from '@temporalio/activity';
import { HoldfastError, messageOf } from '../src/base/errors';
import { ownerOfRun } from '../src/contracts/runs/run-owner';
import type { EventQuestion, Message, NextEvent, SentMessage } from '../src/contracts/runs/webhooks';
import type { MessageSender } from '../src/webhooks/send-message';

export interface WebhookActivitiesPorts {
  /** Reads the next event of a run: `none` if no other one will come, `later` if it has not happened yet, `missing` without a run. */
  readonly nextEvent: (
    question: EventQuestion,
    signal: AbortSignal,
  ) => Promise<NextEvent | 'none' | 'later' | 'missing'>;
  readonly sender: MessageSender;
}

/** The steps of webhooks. Each may be repeated. */
export interface WebhookActivities {
  /**
   * Returns the next event that is wanted, with the body of its message; `null` if no other one will come. Until then every
   * attempt fails with a retryable error, because repeated attempts add no events to the history and hold no place.
   */
  nextRunEvent(question: EventQuestion): Promise<NextEvent | null>;
  /** Sends a message once. An attempt that finds no place fails with a retryable error. */
  sendMessage(message: Message): Promise<SentMessage>;
}

export function createWebhookActivities({ nextEvent, sender }: WebhookActivitiesPorts): WebhookActivities {
  return {
    async nextRunEvent(question) {
      const next = await nextEvent(question, Context.current().cancellationSignal).catch((cause: unknown) => {
        // It is retryable, whatever the reason: a feed that gave up would lose what follows.
        const message = `The run cannot be read: ${messageOf(cause)}`;
        throw new HoldfastError('ENGINE_UNAVAILABLE', message, { retryable: true, cause });
      });
      if (next === 'later') throw unchanged('WEBHOOK_NO_EVENT', 'no event has happened yet');
      // The feed fails, so that a repeat of the request, which may start the run, starts another one.
      if (next === 'missing')
        throw ApplicationFailure.nonRetryable('The run was not started', 'RUN_NOT_FOUND');
      return next === 'none' ? null : next;
    },
    async sendMessage(message) {
      const sent = await sender.send(
        message,
        ownerOfRun(message.target.feedId),
        Context.current().cancellationSignal,
      );
      return sent ?? Promise.reject(unchanged('WEBHOOK_BUSY', 'too many messages are being sent'));
    },
  };
}

function unchanged(type: string, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message, category: 'BENIGN' });
}
