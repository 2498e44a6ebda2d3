// Package initializers draws the first values of a network's parameters, as jax.nn.initializers does. An Initializer is a
// function of a key and a shape; those named after people scale by the number of inputs and outputs, so that signals
// neither grow nor fade from layer to layer.
//
//	w := initializers.HeNormal(key, []int{784, 128}, np.Float32)
//	init := initializers.VarianceScaling{Scale: 1, Mode: initializers.FanAvg, Distribution: initializers.Uniform}.Init
package initializers
