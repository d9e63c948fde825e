package main

import (
	"context"
	"encoding/json"
	"syscall/js"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/nogo"
)

// defineMeasure defines tengenSolve(size, memory, done), for tests and measurements: it solves
// an empty board of NoGo as "tengen solve --threads 1" does, without the book, and calls done
// with an object in JSON.
func defineMeasure() {
	js.Global().Set("tengenSolve", js.FuncOf(func(_ js.Value, args []js.Value) any {
		go func() {
			size, err := board.ParseSize(args[0].String())
			if err != nil {
				args[2].Invoke(err.Error())
				return
			}
			limits := job.Limits{Memory: int64(args[1].Float()), Threads: 1}
			r, err := solve.NoGo(context.Background(), solve.Request{Position: nogo.NewPosition(size), ToPlay: board.Black, Method: solve.Auto, Limits: limits})
			if err != nil {
				args[2].Invoke(err.Error())
				return
			}
			text, _ := json.Marshal(map[string]any{"winner": r.Winner.String(), "nodes": r.Nodes, "seconds": r.Elapsed.Seconds()})
			args[2].Invoke(string(text))
		}()
		return nil
	}))
}
