package cuda

import (
	"fmt"

	"github.com/pantograph-go/pantograph/backend/pjrt"
)

// h200 describes an NVIDIA H200 to XLA's compiler, in the text form of its message GpuTargetConfigProto.
const h200 = `gpu_device_info {
  threads_per_block_limit: 1024
  threads_per_warp: 32
  threads_per_core_limit: 2048
  shared_memory_per_block: 49152
  shared_memory_per_core: 233472
  shared_memory_per_block_optin: 232448
  core_count: 132
  fpus_per_core: 128
  block_dim_limit_x: 2147483647
  block_dim_limit_y: 65535
  block_dim_limit_z: 65535
  memory_bandwidth: 4800000000000
  l2_cache_size: 62914560
  clock_rate_ghz: 1.98
  device_memory_size: 150754820096
  registers_per_core_limit: 65536
  registers_per_block_limit: 65536
  cuda_compute_capability { major: 9 minor: 0 feature_extension: ACCELERATED_FEATURES }
}
platform_name: "CUDA"
dnn_version_info { major: 9 minor: 10 patch: 0 }
device_description_str: "NVIDIA H200"
`

// OpenCompiler makes a backend that compiles programs for NVIDIA H200 GPUs, and does not execute them, on a machine that
// need not have one, nor a driver. It needs a plugin and CUDA's assembler: the Python packages jax-cuda12-pjrt and
// nvidia-cuda-nvcc-cu12. gpus is how many GPUs the described machine has.
func OpenCompiler(gpus int, o Options) (*pjrt.Topology, error) {
	plugin, err := pjrt.Locate("cuda", o.Plugin)
	if err != nil {
		return nil, err
	}
	create := with(o.Create, "target_config", h200)
	create["topology"] = fmt.Sprintf("1x1x%d", gpus)
	overrides, _ := o.compiling(plugin)
	return pjrt.OpenTopology("NVIDIA H200", pjrt.Options{Platform: "cuda", Name: "cuda:compile", Plugin: plugin, Create: create, Overrides: overrides})
}
