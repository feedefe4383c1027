package skill

import (
	"fmt"
	"strings"
)

// NextPatch is the version after v: its third number one higher. One that is before a release (1.2.3-beta.1) becomes
// that release, as npm has it, since that is already later. What is no MAJOR.MINOR.PATCH is an error.
func NextPatch(v string) (string, error) {
	core, before, isBefore := strings.Cut(v, "-")
	core, build, isBuild := strings.Cut(core, "+") // 1.2.3+a-b has its hyphen in the build
	if isBuild && isBefore {
		before, isBefore = "", false
		_, build, _ = strings.Cut(v, "+")
	}
	parts := strings.Split(core, ".")
	if len(parts) != 3 || isBefore && before == "" || isBuild && build == "" || len(v) > 256 {
		return "", notVersion(v)
	}
	for _, p := range parts {
		if p == "" || len(p) > 1 && p[0] == '0' || strings.Trim(p, "0123456789") != "" {
			return "", notVersion(v)
		}
	}
	if isBefore {
		return core, nil
	}
	parts[2] = increment(parts[2])
	return strings.Join(parts, "."), nil
}

func notVersion(v string) error {
	return fmt.Errorf("the version %q is no MAJOR.MINOR.PATCH, such as 1.2.3; correct it in the manifest", v)
}

// increment adds one to a number of any length.
func increment(n string) string {
	digits := []byte(n)
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i]++; digits[i] <= '9' {
			return string(digits)
		}
		digits[i] = '0'
	}
	return "1" + string(digits)
}

// withVersion is the manifest, or the marketplace, at path with another version of the plugin; every other byte is as it was.
func withVersion(path string, data []byte, plugin, from, to string) ([]byte, error) {
	m, err := parseEither(path, data, plugin)
	if err != nil {
		return nil, err
	}
	if m.version.text != from || m.version.to == 0 {
		return nil, fmt.Errorf("its version is %q and no longer %q", m.version.text, from)
	}
	changed := append([]byte{}, data[:m.version.from]...)
	changed = append(changed, `"`+to+`"`...)
	return append(changed, data[m.version.to:]...), nil
}
