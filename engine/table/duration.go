package table

import (
	"context"
	"io"
	"math"
	"time"

	"tengen/board"
	"tengen/internal/solver/retro"
	"tengen/tablebase"
	"tengen/weiqi"
)

// The duration of a build follows from its number of evaluations. That number is nearly
// proportional to the boards kept, and evaluations take about equal time from beginning to end.
// Finding the boards and writing the table are a few per cent of the whole.

// evaluations is the expected number of evaluations for a number of boards kept, as counted on
// boards of 12 to 22 points (docs/retrograde.md). Rows have their own numbers, and on long
// boards of two rows more comes back.
func (request Request) evaluations(boards float64) float64 {
	each := [2][2]float64{{4.4, 10.3}, {5.8, 12}} // by loops and distances
	if request.Size.IsRow() {
		each = [2][2]float64{{1.6, 4.4}, {2, 4.8}}
	}
	distance := 0
	if request.Distance {
		distance = 1
	}
	if long := request.Size.Lying(); long.Rows == 2 && long.Cols > 8 {
		boards *= 1 + 0.06*float64(long.Cols-8)
	}
	return boards * each[request.Loops][distance]
}

// The shares of the time before the evaluations begin and when they end.
const (
	shareFound     = 0.02
	shareEvaluated = 0.97
)

// The same of a build that takes its values from a file, where writing is more than half.
const (
	shareGiven = 0.3
	shareTaken = 0.45
)

// share is the part of a build that is done. It is below 1 until the table is written.
func (request Request) share(p retro.Progress) float64 {
	switch given := request.Values != ""; {
	case given && p.Phase == "writing":
		return shareTaken + p.Swept*(1-shareTaken)
	case given && p.Phase == "values":
		return shareGiven + p.Swept*(shareTaken-shareGiven)
	case given:
		return 0
	case p.Phase == "writing":
		return shareEvaluated + p.Swept*(1-shareEvaluated)
	case p.Boards == 0:
		return 0
	}
	done := min(float64(p.Visits)/request.evaluations(float64(p.Boards)), 1)
	return shareFound + done*(shareEvaluated-shareFound)
}

// left is the expected rest of the time, from the share of the work that is done and the time
// it took. It is 0 at the beginning, when that is not known, and at the end.
func left(share float64, took time.Duration) time.Duration {
	if share < 2*shareFound || share >= shareEvaluated || took < 2*time.Second {
		return 0
	}
	return time.Duration(float64(took) * (1 - share) / share)
}

// sampleSize is the board that is built to measure the speed of the machine. Boards of up to
// shortPoints take only a moment.
var sampleSize = board.Size{Rows: 3, Cols: 4}

const shortPoints = 12

// duration is the expected time of a build, from the time of a small one; 0 if it is not known.
func (request Request) duration(ctx context.Context, plan Plan) time.Duration {
	if plan.Resumed || request.Size.Points() <= shortPoints {
		return 0
	}
	sample, err := retro.Write(ctx, io.Discard, retro.Options{Size: sampleSize, Loops: tablebase.Drawn, Threads: plan.Threads})
	if err != nil || sample.Visits == 0 {
		return 0
	}
	return request.extrapolate(sample.Seconds/float64(sample.Visits), sample.Boards, plan.Packed())
}

// extrapolate scales the seconds of one evaluation in a table of few boards. In larger
// ones fewer values are in the caches of the processor, and packed ones take longer.
func (request Request) extrapolate(seconds float64, few uint64, packed bool) time.Duration {
	const (
		slower     = 0.55 // for a table ten times as large
		packedTime = 2.5
	)
	legal, _ := weiqi.LegalPositions(request.Size).Float64()
	boards := legal / float64(2*len(request.Size.Symmetries())) // one for images and inverses
	seconds *= request.evaluations(boards) * (1 + slower*max(math.Log10(boards/float64(few)), 0))
	if packed {
		seconds *= packedTime
	}
	return time.Duration(seconds * float64(time.Second))
}
