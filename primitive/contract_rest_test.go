package primitive_test

var reductionRows, productRows, indexRows, otherRows []row
