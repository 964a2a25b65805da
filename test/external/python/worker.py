"""A worker of somebody who uses the service, in Python: two activities and a workflow on a queue of its own."""

import asyncio
import json
import os
from dataclasses import dataclass

from temporalio import activity, workflow
from temporalio.client import Client
from temporalio.exceptions import ApplicationError
from temporalio.worker import UnsandboxedWorkflowRunner, Worker


def log(msg: str, **fields: object) -> None:
    print(json.dumps({"msg": msg, **fields}), flush=True)


@dataclass
class Refund:
    orderId: str
    cents: int


@activity.defn(name="Refund")
async def refund(order: Refund) -> dict:
    if order.cents > 1000:
        raise ApplicationError("The amount is too high", type="TooHigh", non_retryable=True)
    return {"refundId": f"{order.orderId}-{order.cents}"}


@activity.defn(name="Charge")
async def charge(orderId: str, cents: int) -> dict:
    attempt = activity.info().attempt
    log("charging", attempt=attempt)
    while attempt == 1:
        activity.heartbeat()
        await asyncio.sleep(0.1)
    return {"orderId": orderId, "cents": cents, "attempt": attempt}


@workflow.defn(name="Ship")
class Ship:
    @workflow.run
    async def run(self, order: dict) -> dict:
        await asyncio.sleep(0.01)
        return {"shipped": order["orderId"]}


async def main() -> None:
    client = await Client.connect(os.environ["ADDRESS"])
    worker = Worker(
        client,
        task_queue=os.environ["QUEUE"],
        activities=[refund, charge],
        workflows=[Ship],
        workflow_runner=UnsandboxedWorkflowRunner(),
    )
    running = asyncio.create_task(worker.run())
    log("polling")
    await running


asyncio.run(main())
