package data

import "testing"

func TestLoad(t *testing.T) {
	train, test, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	if got := train.Len() + test.Len(); got != 1797 || test.Len() != 359 {
		t.Errorf("%d images, %d of them for testing; want 1797, 359", got, test.Len())
	}
	for _, d := range []*Digits{train, test} {
		if len(d.Images) != d.Len()*Pixels {
			t.Errorf("%d pixels for %d images", len(d.Images), d.Len())
		}
		var seen [10]int
		for _, l := range d.Labels {
			seen[l]++
		}
		for digit, n := range seen {
			if n < 20 {
				t.Errorf("digit %d occurs %d times", digit, n)
			}
		}
	}
}
