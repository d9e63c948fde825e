package layers

import (
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mostTypes is how many types a room of the engine exports at most.
const mostTypes = 22

// Who imports a room of the engine needs no package to speak to it that is not public: no
// exported name shows a type of a search or of a library.
func TestExportsPublicTypes(t *testing.T) {
	seen := 0
	for _, room := range public {
		if !strings.HasPrefix(room, "engine/") {
			continue
		}
		path := module + "/" + room
		pkg, err := importer.ForCompiler(token.NewFileSet(), "gc", exportData(t, path)).Import(path)
		if err != nil {
			t.Fatal(err)
		}
		look := &surface{t: t, home: path, seen: map[types.Type]bool{}}
		own := 0
		for _, name := range pkg.Scope().Names() {
			object := pkg.Scope().Lookup(name)
			if !object.Exported() {
				continue
			}
			look.at(name, object.Type())
			if _, isType := object.(*types.TypeName); isType {
				own++
			}
		}
		if own > mostTypes {
			t.Errorf("%s exports %d types: %d are the most", room, own, mostTypes)
		}
		seen += len(look.seen)
	}
	if seen < 200 {
		t.Errorf("only %d types were looked at", seen)
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
	home string // the package whose names they are
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
	if !slices.Contains(public, strings.TrimPrefix(home.Path(), module+"/")) {
		s.t.Errorf("%s of %s shows %s", path, s.home, typ)
		return
	}
	if home.Path() != s.home {
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
