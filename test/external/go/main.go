// A worker of somebody who uses the service, in Go: two activities and a workflow on a queue of its own.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

type order struct {
	OrderID string `json:"orderId"`
	Cents   int    `json:"cents"`
}

func refund(_ context.Context, paid order) (map[string]string, error) {
	if paid.Cents > 1000 {
		return nil, temporal.NewNonRetryableApplicationError("The amount is too high", "TooHigh", nil)
	}
	return map[string]string{"refundId": fmt.Sprintf("%s-%d", paid.OrderID, paid.Cents)}, nil
}

func charge(ctx context.Context, orderID string, cents int) (map[string]any, error) {
	attempt := activity.GetInfo(ctx).Attempt
	say("charging", attempt)
	for attempt == 1 {
		activity.RecordHeartbeat(ctx)
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
	return map[string]any{"orderId": orderID, "cents": cents, "attempt": attempt}, nil
}

func ship(ctx workflow.Context, sent order) (map[string]string, error) {
	if err := workflow.Sleep(ctx, 10*time.Millisecond); err != nil {
		return nil, err
	}
	return map[string]string{"shipped": sent.OrderID}, nil
}

func say(msg string, attempt int32) {
	line, _ := json.Marshal(map[string]any{"msg": msg, "attempt": attempt})
	fmt.Println(string(line))
}

func main() {
	silent := log.NewStructuredLogger(slog.New(slog.NewTextHandler(io.Discard, nil)))
	connection, err := client.Dial(client.Options{HostPort: os.Getenv("ADDRESS"), Logger: silent})
	if err != nil {
		panic(err)
	}
	defer connection.Close()
	own := worker.New(connection, os.Getenv("QUEUE"), worker.Options{})
	own.RegisterActivityWithOptions(refund, activity.RegisterOptions{Name: "Refund"})
	own.RegisterActivityWithOptions(charge, activity.RegisterOptions{Name: "Charge"})
	own.RegisterWorkflowWithOptions(ship, workflow.RegisterOptions{Name: "Ship"})
	if err := own.Start(); err != nil {
		panic(err)
	}
	say("polling", 0)
	<-worker.InterruptCh()
	own.Stop()
}
