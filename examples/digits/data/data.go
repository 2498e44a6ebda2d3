// Package data is the handwritten digits of the UCI repository, embedded. README.md states source and licence.
package data

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
)

//go:embed digits.csv.gz
var packed []byte

// Pixels is the number of pixels of an image: 8 rows of 8.
const Pixels = 64

// Digits are images with their labels: image i is Images[i*Pixels : (i+1)*Pixels], ink from 0 to 1.
type Digits struct {
	Images []float32
	Labels []int32
}

// Len is the number of images.
func (d *Digits) Len() int { return len(d.Labels) }

// Load unpacks the images and deals them out: every fifth image is for testing, the others for training.
func Load() (train, test *Digits, err error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, nil, err
	}
	rows, err := csv.NewReader(z).ReadAll()
	if err != nil {
		return nil, nil, err
	}
	train, test = &Digits{}, &Digits{}
	for i, row := range rows {
		if len(row) != Pixels+1 {
			return nil, nil, fmt.Errorf("line %d has %d fields, want %d", i+1, len(row), Pixels+1)
		}
		to := train
		if i%5 == 4 {
			to = test
		}
		for k, field := range row {
			v, err := strconv.Atoi(field)
			if err != nil {
				return nil, nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			if k < Pixels {
				to.Images = append(to.Images, float32(v)/16)
			} else {
				to.Labels = append(to.Labels, int32(v))
			}
		}
	}
	return train, test, nil
}
