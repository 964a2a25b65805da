const { sleep } = require('@temporalio/workflow');

exports.ship = async function ship({ orderId }) {
  await sleep(10);
  return { shipped: orderId };
};
