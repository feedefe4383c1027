package skill

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"rulph/internal/session"
)

// manifestPaths are the manifests that a plugin's folder can have, the one whose version counts first.
var manifestPaths = []string{
	filepath.Join(".claude-plugin", "plugin.json"), filepath.Join(".codex-plugin", "plugin.json"),
	filepath.Join(".cursor-plugin", "plugin.json"), "plugin.json", "gemini-extension.json",
}

// marketPaths are the lists of plugins that a folder can have. An entry may repeat the plugin's version.
var marketPaths = []string{
	filepath.Join(".claude-plugin", "marketplace.json"), filepath.Join(".agents", "plugins", "marketplace.json"),
	filepath.Join(".agents", "plugins", "api_marketplace.json"),
}

const (
	manifestSize  = 1 << 20
	manifestDepth = 64
)

// A span is where a string stands in a JSON document, with its quotation marks.
type span struct {
	from, to int
	text     string
}

// A manifest is what a plugin.json, or the entry of a marketplace, says of a plugin.
type manifest struct {
	name    string
	version span // to is 0 where it has none
}

// readPlugin fills in what the manifests of the plugin in dir say.
func (f *Found) readPlugin(dir string) error {
	f.Plugin, f.PluginDir = filepath.Base(dir), dir
	f.Version, f.Manifests, f.Differing = "", []string{}, []string{}
	versions := map[string]string{}
	var files []string
	named := false
	for _, path := range manifestPaths {
		path = filepath.Join(dir, path)
		data, err := readManifest(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		m, err := parseManifest(data)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if m.name != "" && !named {
			f.Plugin, named = m.name, true
		}
		if m.version.to > 0 {
			files, versions[path] = append(files, path), m.version.text
		}
	}
	for up := dir; ; up = filepath.Dir(up) { // the marketplace is the plugin's folder, or one above it in the project
		for _, path := range marketPaths {
			path = filepath.Join(up, path)
			data, err := readManifest(path)
			if err != nil {
				continue // a marketplace that cannot be read lists nothing
			}
			m, err := parseMarket(data, f.Plugin)
			if err == nil && m.version.to > 0 {
				files, versions[path] = append(files, path), m.version.text
			}
		}
		if session.IsWorkTree(up) || up == filepath.Dir(up) || filepath.Dir(f.State) == filepath.Join(up, "evals") {
			break
		}
	}
	for i, path := range files {
		if i == 0 {
			f.Version = versions[path]
		}
		if versions[path] == f.Version {
			f.Manifests = append(f.Manifests, path)
		} else {
			f.Differing = append(f.Differing, path)
		}
	}
	return nil
}

func readManifest(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err == nil && len(data) > manifestSize {
		err = fmt.Errorf("%s has %d bytes; at most %d are read", path, len(data), manifestSize)
	}
	return data, err
}

// parseManifest reads name and version of a plugin.json.
func parseManifest(data []byte) (manifest, error) {
	var m manifest
	err := eachObject(data, func(path []string, fields map[string]span) {
		if len(path) == 0 {
			m = manifest{fields["name"].text, fields["version"]}
		}
	})
	return m, err
}

// parseEither reads what the file at path says of a plugin.
func parseEither(path string, data []byte, plugin string) (manifest, error) {
	for _, market := range marketPaths {
		if filepath.Base(path) == filepath.Base(market) {
			return parseMarket(data, plugin)
		}
	}
	return parseManifest(data)
}

// parseMarket reads the entry of one plugin.
func parseMarket(data []byte, plugin string) (manifest, error) {
	var m manifest
	err := eachObject(data, func(path []string, fields map[string]span) {
		if len(path) == 2 && path[0] == "plugins" && fields["name"].text == plugin {
			m = manifest{plugin, fields["version"]}
		}
	})
	return m, err
}

// eachObject calls do for each object of a JSON document, an inner one before the outer, with its path (an element of a
// list is "[]") and those of its fields that are strings. Its error is a mistake in the document: it is no JSON object,
// something follows it, or a key is in an object twice, so that no two readers agree on its value.
func eachObject(data []byte, do func(path []string, fields map[string]span)) error {
	skip := len(data) - len(bytes.TrimPrefix(data, bom))
	text := data[skip:]
	if !bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) {
		return errors.New("it is no JSON object")
	}
	w := walker{json.NewDecoder(bytes.NewReader(text)), text, skip, do}
	w.decoder.UseNumber() // the others are kept as they are, whatever they are
	if _, err := w.value(nil); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return fmt.Errorf("it is no JSON document: %w", err)
	}
	if _, err := w.decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON object")
	}
	return nil
}

type walker struct {
	decoder *json.Decoder
	text    []byte
	skip    int
	do      func(path []string, fields map[string]span)
}

// value reads one value; the span is that of a string.
func (w walker) value(path []string) (span, error) {
	from := int(w.decoder.InputOffset())
	token, err := w.decoder.Token()
	if err != nil {
		return span{}, err
	}
	if len(path) > manifestDepth {
		return span{}, fmt.Errorf("it is nested more than %d deep", manifestDepth)
	}
	switch token {
	case json.Delim('{'):
		return span{}, w.object(path)
	case json.Delim('['):
		for w.decoder.More() {
			if _, err := w.value(append(slices.Clip(path), "[]")); err != nil {
				return span{}, err
			}
		}
		_, err = w.decoder.Token()
		return span{}, err
	}
	text, ok := token.(string)
	if !ok {
		return span{}, nil
	}
	from += bytes.IndexByte(w.text[from:], '"') // a colon, a comma and white space may stand before it
	return span{w.skip + from, w.skip + int(w.decoder.InputOffset()), text}, nil
}

func (w walker) object(path []string) error {
	fields, seen := map[string]span{}, map[string]bool{}
	for w.decoder.More() {
		token, err := w.decoder.Token()
		if err != nil {
			return err
		}
		key, _ := token.(string)
		if seen[key] {
			return fmt.Errorf("the key %q occurs twice", key)
		}
		seen[key] = true
		s, err := w.value(append(slices.Clip(path), key))
		if err != nil {
			return err
		}
		if s.to > 0 {
			fields[key] = s
		}
	}
	if _, err := w.decoder.Token(); err != nil {
		return err
	}
	w.do(path, fields)
	return nil
}
