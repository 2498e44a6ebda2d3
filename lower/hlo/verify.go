package hlo

type checker struct{}
