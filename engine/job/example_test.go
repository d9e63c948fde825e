package job_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tengen/engine/job"
)

// Work that is stopped says what was known by then.
func ExampleRun() {
	steps := 0
	err := job.Run(context.Background(), job.Limits{Time: time.Millisecond},
		func() string { return "the end is not reached" },
		func(ctx context.Context, _ *job.Work) error {
			for ctx.Err() == nil {
				steps++
			}
			return ctx.Err()
		})
	var stopped *job.Stopped
	if errors.As(err, &stopped) && steps > 0 {
		fmt.Println(stopped)
	}
	// Output:
	// the time is up; the end is not reached
}
