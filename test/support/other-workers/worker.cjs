// A worker of somebody who uses the service: no code of the service, two activities and a workflow on a queue of its own.
const { Context } = require('@temporalio/activity');
const { ApplicationFailure } = require('@temporalio/common');
const { NativeConnection, Worker } = require('@temporalio/worker');

const activities = {
  refund: async ({ orderId, cents }) => ({
    refundId: `${orderId}-${cents}`,
    attempt: Context.current().info.attempt,
  }),
  list: async (...args) => args,
  bytes: async () => new Uint8Array([1]),
  complain: async ({ apiKey }) => {
    throw ApplicationFailure.nonRetryable(`the key ${apiKey} is unknown`, 'NoKey');
  },
  length: async ({ text }) => text.length,
  refuse: async () => {
    throw ApplicationFailure.nonRetryable('The card was declined', 'CardDeclined');
  },
  fail_once: async () => {
    const { attempt } = Context.current().info;
    if (attempt === 1) throw new Error('busy');
    return attempt;
  },
  async work({ untilAttempt }) {
    const { info, cancellationSignal } = Context.current();
    if (info.attempt >= untilAttempt) return { attempt: info.attempt };
    console.log(JSON.stringify({ msg: 'working', attempt: info.attempt }));
    for (;;) {
      Context.current().heartbeat();
      await Context.current()
        .sleep(100)
        .catch((error) => {
          if (cancellationSignal.aborted) console.log(JSON.stringify({ msg: 'cancelled' }));
          throw error;
        });
    }
  },
};

async function main() {
  const connection = await NativeConnection.connect({ address: process.env.ADDRESS });
  const worker = await Worker.create({
    connection,
    taskQueue: process.env.QUEUE,
    workflowsPath: require.resolve('./workflows.cjs'),
    activities,
  });
  const running = worker.run();
  console.log(JSON.stringify({ msg: 'polling' }));
  process.on('SIGTERM', () => worker.shutdown());
  await running;
  await connection.close();
}

void main();
