package value_test

import (
	"context"
	"fmt"

	"tengen/engine/job"
	"tengen/engine/value"
)

// The value of a sum of two rows and a game that is none.
func ExampleFind() {
	sum, err := value.Parse("..x.x. + ... - 1/2")
	if err != nil {
		fmt.Println(err)
		return
	}
	v, err := value.Find(context.Background(), value.Request{Sum: sum, Limits: job.Limits{Memory: 64 << 20}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(v.Canonical, v.Outcome, v.Mean, v.Temperature)
	// Output:
	// {5/2|3/2||±1/2} L 1 1
}
