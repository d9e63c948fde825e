package engine_test

import (
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// ownPackages may appear in what the engine exports, beside the standard library.
var ownPackages = map[string]bool{
	"tengen/board": true, "tengen/nogo": true, "tengen/weiqi": true, "tengen/cgt": true,
	"tengen/game": true, "tengen/sgf": true, "tengen/engine": true,
}

// Who imports the engine needs no other package to speak to it: no exported name shows
// a type of a search, of a file format or of a library.
func TestExportsOwnTypes(t *testing.T) {
	pkg, err := importer.ForCompiler(token.NewFileSet(), "gc", exportData(t, "tengen/engine")).Import("tengen/engine")
	if err != nil {
		t.Fatal(err)
	}
	look := &surface{t: t, seen: map[types.Type]bool{}}
	for _, name := range pkg.Scope().Names() {
		if object := pkg.Scope().Lookup(name); object.Exported() {
			look.at(name, object.Type())
		}
	}
	if len(look.seen) < 50 {
		t.Errorf("only %d types were looked at", len(look.seen))
	}
}

// exportData finds what the compiler keeps of a package and of those below it.
func exportData(t *testing.T, path string) importer.Lookup {
	list, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(list)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		files[name] = file
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
}

// surface goes through all that can be reached by exported names.
type surface struct {
	t    *testing.T
	seen map[types.Type]bool
}

func (s *surface) at(path string, typ types.Type) {
	if s.seen[typ] {
		return
	}
	s.seen[typ] = true
	switch typ := typ.(type) {
	case *types.Alias:
		s.at(path, types.Unalias(typ))
	case *types.Named:
		s.named(path, typ)
	case *types.Pointer:
		s.at(path, typ.Elem())
	case *types.Slice:
		s.at(path, typ.Elem())
	case *types.Array:
		s.at(path, typ.Elem())
	case *types.Chan:
		s.at(path, typ.Elem())
	case *types.Map:
		s.at(path, typ.Key())
		s.at(path, typ.Elem())
	case *types.Signature:
		s.tuple(path, typ.Params())
		s.tuple(path, typ.Results())
	case *types.Struct:
		for field := range typ.Fields() {
			if field.Exported() {
				s.at(path+"."+field.Name(), field.Type())
			}
		}
	case *types.Interface:
		for method := range typ.Methods() {
			if method.Exported() {
				s.at(path+"."+method.Name(), method.Type())
			}
		}
	}
}

// named stops at packages that are public themselves.
func (s *surface) named(path string, typ *types.Named) {
	for arg := range typ.TypeArgs().Types() {
		s.at(path, arg)
	}
	home := typ.Obj().Pkg()
	if home == nil || !strings.Contains(home.Path(), ".") && !strings.HasPrefix(home.Path(), "tengen/") {
		return
	}
	if !ownPackages[home.Path()] {
		s.t.Errorf("%s shows %s", path, typ)
		return
	}
	if home.Path() != "tengen/engine" {
		return
	}
	s.at(path, typ.Underlying())
	for method := range typ.Methods() {
		if method.Exported() {
			s.at(path+"."+method.Name(), method.Type())
		}
	}
}

func (s *surface) tuple(path string, tuple *types.Tuple) {
	for v := range tuple.Variables() {
		s.at(path, v.Type())
	}
}
