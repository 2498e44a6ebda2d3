module github.com/pantograph-go/pantograph

go 1.26
