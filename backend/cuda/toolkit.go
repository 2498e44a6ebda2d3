package cuda

import (
	"os"
	"os/exec"
	"path/filepath"

	"github.com/pantograph-go/pantograph/backend/pjrt"
	"github.com/pantograph-go/pantograph/internal/dl"
)

// generation is a major version of CUDA, for which there is a plugin of its own.
type generation struct {
	plugin     string  // in a site-packages folder
	cuda       Version // the driver must run this
	capability Version // a GPU must have this
	driver     string  // the driver's version that first ran it
	// libraries of NVIDIA's packages, in the order in which they need each other, relative to the folder nvidia
	libraries []string
}

var generations = []generation{
	{"jax_plugins/xla_cuda13/xla_cuda_plugin.so", Version{13, 0}, Version{7, 5}, "580", []string{
		"cu13/lib/libcudart.so.13", "cu13/lib/libnvrtc.so.13", "cu13/lib/libcublasLt.so.13", "cu13/lib/libcublas.so.13",
		"nccl/lib/libnccl.so.2", "cu13/lib/libcupti.so.13", "cu13/lib/libnvJitLink.so.13", "cu13/lib/libcusparse.so.12",
		"cu13/lib/libcusolver.so.12", "cu13/lib/libcufft.so.12", "nvshmem/lib/libnvshmem_host.so.3", "cudnn/lib/libcudnn.so.9",
	}},
	{"jax_plugins/xla_cuda12/xla_cuda_plugin.so", Version{12, 0}, Version{5, 2}, "525", []string{
		"cuda_runtime/lib/libcudart.so.12", "cuda_nvrtc/lib/libnvrtc.so.12", "cublas/lib/libcublasLt.so.12", "cublas/lib/libcublas.so.12",
		"nccl/lib/libnccl.so.2", "cuda_cupti/lib/libcupti.so.12", "nvjitlink/lib/libnvJitLink.so.12", "cusparse/lib/libcusparse.so.12",
		"cusolver/lib/libcusolver.so.11", "cufft/lib/libcufft.so.11", "nvshmem/lib/libnvshmem_host.so.3", "cudnn/lib/libcudnn.so.9",
	}},
}

// fits tells whether a driver and all its GPUs can run the generation; if not, why.
func (g *generation) fits(d Driver) error {
	if d.Version.Less(g.cuda) {
		return &TooOldError{"driver", d.Version, g.cuda, "update the driver to version " + g.driver + " or newer"}
	}
	for _, gpu := range d.Devices {
		if gpu.Capability.Less(g.capability) {
			return &TooOldError{gpu.Name, gpu.Capability, g.capability, "leave it out with CUDA_VISIBLE_DEVICES"}
		}
	}
	return nil
}

// sitePackages is the folder of packages in which a plugin lies, empty for a plugin elsewhere.
func sitePackages(plugin string) string {
	if filepath.Base(filepath.Dir(filepath.Dir(plugin))) != "jax_plugins" {
		return ""
	}
	return filepath.Dir(filepath.Dir(filepath.Dir(plugin)))
}

// preload opens NVIDIA's libraries from the first Python environment that has them, where they do not lie beside the plugin,
// which finds those itself. Opening them by their full paths is what makes a later search by name succeed. Libraries that
// are not there may be in the loader's own path, so their absence is left for the plugin to report.
func preload(g *generation, plugin string, sites []string) (opened []string) {
	if beside := sitePackages(plugin); beside != "" && exists(filepath.Join(beside, "nvidia")) {
		return nil
	}
	for _, site := range sites {
		dir := filepath.Join(site, "nvidia")
		if !exists(dir) {
			continue
		}
		for _, rel := range g.libraries {
			if file := filepath.Join(dir, rel); exists(file) {
				if _, err := dl.Open(file); err == nil {
					opened = append(opened, file)
				}
			}
		}
		break
	}
	return opened
}

// toolkit finds the folder with CUDA's assembler and device library, which XLA needs to compile: bin/ptxas and
// nvvm/libdevice. found is false where there is none; dir is empty where the plugin finds it by itself.
func toolkit(plugin string, sites []string) (dir string, found bool) {
	parts := []string{"cuda_nvcc", "cu13"}
	if beside := sitePackages(plugin); beside != "" {
		for _, part := range parts {
			if hasAssembler(filepath.Join(beside, "nvidia", part)) {
				return "", true
			}
		}
	}
	var candidates []string
	for _, site := range sites {
		for _, part := range parts {
			candidates = append(candidates, filepath.Join(site, "nvidia", part))
		}
	}
	candidates = append(candidates, os.Getenv("CUDA_HOME"), os.Getenv("CUDA_PATH"), "/usr/local/cuda")
	if ptxas, err := exec.LookPath("ptxas"); err == nil {
		candidates = append(candidates, filepath.Dir(filepath.Dir(ptxas)))
	}
	for _, dir := range candidates {
		if dir != "" && hasAssembler(dir) {
			return dir, true
		}
	}
	return "", false
}

func hasAssembler(dir string) bool { return exists(filepath.Join(dir, "bin", "ptxas")) }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// locate finds a plugin that the driver can run. Where there is one, but only for a newer driver, the error says so.
func locate(file string, d Driver) (string, *generation, error) {
	var fitting []string
	var misfit error
	for i := range generations {
		if err := generations[i].fits(d); err != nil {
			misfit = err
		} else {
			fitting = append(fitting, generations[i].plugin)
		}
	}
	if len(fitting) == 0 {
		return "", nil, misfit // of the oldest generation: the least that is needed
	}
	path, err := pjrt.Locate("cuda", file, fitting...)
	if err == nil {
		return path, generationOf(path), nil
	}
	for i := range generations {
		g := &generations[i]
		if tooOld := g.fits(d); tooOld != nil {
			if _, there := pjrt.Locate("cuda", "", g.plugin); there == nil {
				return "", nil, tooOld
			}
		}
	}
	return "", nil, err
}

// generationOf tells by its folder for which CUDA a plugin is; the newest for one that lies elsewhere.
func generationOf(plugin string) *generation {
	for i := range generations {
		if filepath.Base(filepath.Dir(generations[i].plugin)) == filepath.Base(filepath.Dir(plugin)) {
			return &generations[i]
		}
	}
	return &generations[0]
}
