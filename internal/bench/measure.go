package main

import (
	"math"
	"os"
	"runtime"
	"slices"
	"time"
)

// line is what is printed of a workload.
type line struct {
	Workload    string   `json:"workload"`
	Peer        string   `json:"peer"`
	Threads     int      `json:"threads"`
	Median      *float64 `json:"median_s"`
	Min         *float64 `json:"min_s"`
	IQR         *float64 `json:"iqr"`
	Reps        int      `json:"reps"`
	Checksum    *float64 `json:"checksum"`
	ChecksumAbs *float64 `json:"checksum_abs"`
	Value       int      `json:"value,omitempty"`
	Error       string   `json:"error,omitempty"`
}

// quick makes a smoke test, whose numbers mean nothing.
var quick = os.Getenv("BENCH_QUICK") != ""

// measure times call by the rules of the specification: samples of at least 2 ms, at least minReps of them and 0.3 s,
// at most 200; three are enough where one takes over a second.
func (l *line) measure(call func(), minReps int) {
	sample, total := 2*time.Millisecond, 300*time.Millisecond
	if quick {
		sample, total, minReps = 0, 0, 2
	}
	call()
	one := timed(call, 1)
	inner := max(1, int(sample/one))
	if inner > 1 { // the first estimate of short calls is poor
		one = max(1, timed(call, inner)/time.Duration(inner))
		inner = int((sample + one - 1) / one)
	}
	if one > time.Second {
		minReps = min(minReps, 3)
	}
	var samples []float64
	runtime.GC()
	for spent := time.Duration(0); len(samples) < minReps || spent < total && len(samples) < 200; {
		d := timed(call, inner)
		spent += d
		samples = append(samples, d.Seconds()/float64(inner))
	}
	l.summarise(samples)
}

// timed is how long n calls take, at least a nanosecond.
func timed(call func(), n int) time.Duration {
	start := time.Now()
	for range n {
		call()
	}
	return max(1, time.Since(start))
}

// summarise enters median, minimum and interquartile range of the samples.
func (l *line) summarise(samples []float64) {
	slices.Sort(samples)
	at := func(q float64) float64 {
		p := q * float64(len(samples)-1)
		i := int(p)
		if i+1 == len(samples) {
			return samples[i]
		}
		return samples[i] + (p-math.Floor(p))*(samples[i+1]-samples[i])
	}
	median, iqr := at(0.5), at(0.75)-at(0.25)
	l.Median, l.Min, l.IQR, l.Reps = &median, &samples[0], &iqr, len(samples)
}
