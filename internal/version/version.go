// Package version holds the one version of the project. A test holds the plugin manifests and the
// launchers in bin/ to it.
package version

// Version is a semantic version without a leading v.
const Version = "0.2.0"
