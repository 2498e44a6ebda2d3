package pjrt

import "sync/atomic"

// handle is an object of the plugin with its users counted, so that it is destroyed exactly once and never while a call
// works on it: using a destroyed object corrupts memory. An object that belongs to another (a buffer to its client) is a
// user of it. Safe for concurrent use.
type handle struct {
	ptr    uintptr
	plugin *plugin
	free   function
	parent *handle
	// state is the number of users; the closed bit says that no new ones are taken and the last one destroys.
	state  atomic.Int64
	bytes  int64 // what the client's account of memory counts for it
	memory *account
	after  func() // called when the object is gone, may be nil
}

const closedBit = 1 << 62

// newHandle owns an object. The caller is a user of parent, or its owner, at the moment.
func newHandle(p *plugin, ptr uintptr, free function, parent *handle) *handle {
	if parent != nil {
		parent.state.Add(1)
	}
	return &handle{ptr: ptr, plugin: p, free: free, parent: parent}
}

// acquire makes the caller a user until release, unless the handle is closed.
func (h *handle) acquire() bool {
	for {
		s := h.state.Load()
		if s&closedBit != 0 {
			return false
		}
		if h.state.CompareAndSwap(s, s+1) {
			return true
		}
	}
}

// take makes the caller the only user and closes the handle: its release destroys the object. It fails where there are
// other users or the handle is closed.
func (h *handle) take() bool { return h.state.CompareAndSwap(0, closedBit|1) }

func (h *handle) release() {
	if h.state.Add(-1) == closedBit {
		h.destroy()
	}
}

// close ends the handle: the object is destroyed now or by its last user. Closing again does nothing.
func (h *handle) close() {
	if h.state.Or(closedBit) == 0 {
		h.destroy()
	}
}

func (h *handle) closed() bool { return h.state.Load()&closedBit != 0 }

func (h *handle) destroy() {
	h.plugin.destroy(h.free, h.ptr)
	if h.after != nil {
		h.after()
	}
	if h.memory != nil {
		h.memory.remove(h.bytes)
	}
	if h.parent != nil {
		h.parent.release()
	}
}
