const { proxyActivities, sleep } = require('@temporalio/workflow');

const { refuse } = proxyActivities({ startToCloseTimeout: '10s' });

exports.ship = async function ship({ orderId }) {
  await sleep(10);
  return { shipped: orderId };
};

/** Fails as most workflows do: by an activity of theirs. */
exports.charge = async function charge() {
  await refuse();
};
