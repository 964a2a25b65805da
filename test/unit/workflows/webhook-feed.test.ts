import { ApplicationFailure, ChildWorkflowFailure, RetryState } from '@temporalio/common';
import type { EventQuestion, NextEvent, WebhookDeliveryInput } from '../../../src/contracts/runs/webhooks';
import { webhookFeed } from '../../../workflows/webhook-feed';

/** What a run that continues as new is started with. */
class MockContinued extends Error {
  constructor(readonly input: unknown) {
    super('continued as new');
  }
}
let mockEvents: readonly NextEvent[];
let mockDeliver: (input: WebhookDeliveryInput) => Promise<void>;
const mockAsked: EventQuestion[] = [];

jest.mock('@temporalio/workflow', () => ({
  proxyActivities: () => ({
    nextRunEvent: (question: EventQuestion) => {
      mockAsked.push(question);
      return Promise.resolve(mockEvents.find(({ sequence }) => sequence > question.after) ?? null);
    },
  }),
  executeChild: (_type: string, { args: [input] }: { args: [WebhookDeliveryInput] }) => mockDeliver(input),
  continueAsNew: (input: unknown) => Promise.reject(new MockContinued(input)),
  workflowInfo: () => ({ startTime: new Date(0), continueAsNewSuggested: false }),
  isCancellation: () => false,
  CancellationScope: { current: () => ({ consideredCancelled: false }) },
  ParentClosePolicy: { TERMINATE: 'TERMINATE' },
}));

const eventAt = (sequence: number, isLast = false): NextEvent => ({
  sequence,
  type: 'step.completed',
  runId: 'run-1',
  name: String(sequence),
  body: '{}',
  isLast,
});
const input = {
  workflowId: 'run',
  events: ['step.completed'],
  target: { feedId: 'run/webhooks', sealed: '', host: 'example.com', messages: 'msg_1' },
};
const failed = (type: string) => {
  const cause = ApplicationFailure.nonRetryable('not delivered', type);
  const state = RetryState.NON_RETRYABLE_FAILURE;
  return new ChildWorkflowFailure(
    'default',
    { workflowId: 'd', runId: 'r' },
    'webhookDelivery',
    state,
    cause,
  );
};

let delivered: string[];
beforeEach(() => {
  delivered = [];
  mockAsked.length = 0;
  mockDeliver = ({ event }) => Promise.resolve(void delivered.push(event.name));
});

test('a message that was given up is followed by the next one, until the last event', async () => {
  mockEvents = [eventAt(1), eventAt(2), eventAt(5), eventAt(6, true), eventAt(7)];
  const deliver = mockDeliver;
  mockDeliver = async (each) => {
    await deliver(each);
    if (each.event.name === '2') throw failed('WEBHOOK_NOT_DELIVERED');
  };
  await webhookFeed(input);
  expect(delivered).toEqual(['1', '2', '5', '6']);
});

test('a receiver that is gone gets nothing else', async () => {
  mockEvents = [eventAt(1), eventAt(2, true)];
  mockDeliver = ({ event }) => {
    delivered.push(event.name);
    return Promise.reject(failed('WEBHOOK_GONE'));
  };
  await webhookFeed(input);
  expect(delivered).toEqual(['1']);
});

test('a long feed continues as new after the event that it has delivered', async () => {
  mockEvents = Array.from({ length: 300 }, (_, index) => eventAt(index + 1, index === 299));
  const continued: unknown = await webhookFeed(input).catch((error: unknown) => error);
  expect(delivered).toHaveLength(200);
  expect(continued).toBeInstanceOf(MockContinued);
  expect((continued as MockContinued).input).toMatchObject({ ...input, after: 200 });
  await webhookFeed((continued as MockContinued).input as typeof input);
  expect(delivered).toEqual(mockEvents.map(({ name }) => name));
  expect(mockAsked[0]?.startedBefore).toBe(60_000);
});
