module github.com/pantograph-go/pantograph

go 1.26

require (
	github.com/ebitengine/purego v0.11.3 // indirect
	github.com/google/go-cmp v0.7.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)
