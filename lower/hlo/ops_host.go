package hlo

// Transfers to and from the host and other programs.

func hostOps() []opSpec {
	return []opSpec{
		{name: "stablehlo.infeed", in: "token:|token", out: "results*:fpicqQ/s|token|tuple", attrs: "infeed_config:str? layout:array?",
			check: (*checker).infeed},
		{name: "stablehlo.outfeed", in: "inputs*:fpicqQ token:|token", out: "result:|token", attrs: "outfeed_config:str?"},
		{name: "stablehlo.send", in: "inputs*:fpicqQ token:|token", out: "result:|token",
			attrs: "channel_handle:channel is_host_transfer:bool? source_target_pairs:i64elements?", check: (*checker).send},
		{name: "stablehlo.recv", in: "token:|token", out: "results*:fpicqQ/s|token|tuple",
			attrs: "channel_handle:channel is_host_transfer:bool? source_target_pairs:i64elements?", check: (*checker).recv},
	}
}

// thenToken checks results that are tensors and a token behind them.
func (c *checker) thenToken(some, tensors, token string) {
	n := len(c.op.Results)
	c.check(n >= 1, some, "at least one result is needed")
	for i, v := range c.op.Results[:n-1] {
		_, ok := v.Type.(Tensor)
		c.check(ok, tensors, "result %d is to be a tensor, not %s", i, v.Type)
	}
	_, ok := c.op.Results[n-1].Type.(Token)
	c.check(ok, token, "the last result is to be a token, not %s", c.op.Results[n-1].Type)
}

func (c *checker) infeed(o *Op) {
	c.thenToken("C1", "C2", "C3")
	list, ok := o.Attr("layout").(Array)
	if !ok {
		return
	}
	c.check(len(list) == len(o.Results)-1, "attribute layout", "%d layouts for %d tensors", len(list), len(o.Results)-1)
	for _, a := range list {
		order, ok := a.(Array)
		c.check(ok, "attribute layout", "a layout is a list, not %s", AttrString(a))
		for _, d := range order {
			_, ok := d.(Int)
			c.check(ok, "attribute layout", "a layout is a list of integers, not of %s", AttrString(d))
		}
	}
}

// The types of channels.
const (
	deviceToDevice = 1
	deviceToHost   = 2
	hostToDevice   = 3
)

// channelType checks that a transfer between devices or with the host goes over a channel of that type.
func (c *checker) channelType(host int64) {
	want := int64(deviceToDevice)
	if c.bool("is_host_transfer") {
		want = host
	}
	h := c.op.Attr("channel_handle").(ChannelHandle)
	c.check(h.Type == want, "C1", "the channel is of type %d, a transfer like this needs %d", h.Type, want)
	if d, ok := c.op.Attr("source_target_pairs").(*Dense); ok {
		c.pairs(d)
	}
}

func (c *checker) send(*Op) { c.channelType(deviceToHost) }

func (c *checker) recv(*Op) {
	c.channelType(hostToDevice)
	c.thenToken("C2", "C3", "C4")
}
