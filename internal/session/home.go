package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// localHome is the name of a home, in the user's folder and in a project alike.
const localHome = ".hoyeon"

// candidate is a home that may be used. A local one lies in a project, whose version control must not
// pick it up.
type candidate struct {
	Store
	local bool
}

// Homes lists the homes a session may have, in the order in which they are asked: $HOYEON_HOME alone
// where it is set; else ~/.hoyeon, then .hoyeon at the top of the git work tree that holds cwd, or in cwd
// itself. The last is for a sandbox in which a command can write the project and not the user's folder.
// Nothing is created, and no process is started. A cwd that is not absolute, or no longer there, only costs
// the candidates that depend on it.
func Homes(getenv func(string) string, cwd string) []Store {
	cs := candidates(getenv, cwd)
	stores := make([]Store, len(cs))
	for i, c := range cs {
		stores[i] = c.Store
	}
	return stores
}

func candidates(getenv func(string) string, cwd string) []candidate {
	if home := getenv("HOYEON_HOME"); home != "" {
		if !filepath.IsAbs(home) {
			if !filepath.IsAbs(cwd) {
				return nil
			}
			home = filepath.Join(cwd, home)
		}
		return []candidate{{Store: Store{Home: filepath.Clean(home)}}}
	}
	var cs []candidate
	if user := getenv(userFolder); filepath.IsAbs(user) {
		cs = append(cs, candidate{Store: Store{Home: filepath.Join(user, localHome)}})
	}
	if !filepath.IsAbs(cwd) {
		return cs
	}
	home := filepath.Join(workTree(cwd), localHome)
	if len(cs) == 1 && cs[0].Home == home {
		return cs
	}
	// A project may come from anywhere, and a link in it would choose where we write.
	if info, err := os.Lstat(home); err == nil && !info.IsDir() {
		return cs
	}
	return append(cs, candidate{Store{Home: home}, true})
}

// workTree is the git work tree that holds cwd, else cwd.
func workTree(cwd string) string {
	cwd = filepath.Clean(cwd)
	if dir, ok := WorkTree(cwd); ok {
		return dir
	}
	return cwd
}

// WorkTree finds the top of the git work tree that holds dir, which is absolute. It starts no process.
func WorkTree(dir string) (top string, ok bool) {
	for {
		if IsWorkTree(dir) {
			return dir, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}

// IsWorkTree reports whether dir is the top of a git work tree: .git is a repository, or a file that leads
// to one. An empty folder of that name is none; Codex's sandbox leaves such behind, in /tmp too.
func IsWorkTree(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, ".git"))
	if err != nil || info.Mode().IsRegular() {
		return err == nil
	}
	head, err := os.Stat(filepath.Join(dir, ".git", "HEAD"))
	return err == nil && head.Mode().IsRegular()
}

// Writable returns the home to write to: the first of Homes in which a file could really be created. It
// makes the home where there is none yet (0700; with a .gitignore of "*" in a project). A full disk is an
// error and no reason to go on: the next home would split the session in two.
func Writable(getenv func(string) string, cwd string) (Store, error) {
	var tried []string
	for _, c := range candidates(getenv, cwd) {
		err := c.try()
		if err == nil {
			return c.Store, nil
		}
		if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
			return Store{}, fmt.Errorf("the home %s cannot be written: %w; free some space or set HOYEON_HOME to a folder on another disk", c.Home, err)
		}
		tried = append(tried, err.Error())
	}
	if len(tried) == 0 {
		return Store{}, errors.New("there is no home for sessions: set HOYEON_HOME to a folder you can write")
	}
	return Store{}, fmt.Errorf("no home can be written: %s; set HOYEON_HOME to a folder you can write", strings.Join(tried, "; "))
}

func (c candidate) try() error {
	if err := c.ensureHome(); err != nil {
		return err
	}
	probe, err := os.CreateTemp(c.Home, probePrefix+"*")
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", c.Home, pe.Err) // the name of the probe would only puzzle
	}
	if err != nil {
		return err
	}
	err = probe.Close()
	if rm := os.Remove(probe.Name()); err == nil {
		err = rm
	}
	if err != nil || !c.local {
		return err
	}
	ignore, err := os.OpenFile(filepath.Join(c.Home, ".gitignore"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = ignore.WriteString("*\n")
	return errors.Join(err, ignore.Close())
}

// ensureHome creates the home, or refuses the one that is there.
func (s Store) ensureHome() error {
	if !filepath.IsAbs(s.Home) {
		return fmt.Errorf("the home %q is not an absolute path", s.Home)
	}
	if err := os.MkdirAll(s.Home, 0o700); err != nil {
		return err
	}
	return s.checkHome()
}

// checkHome refuses a home that somebody else could have prepared.
func (s Store) checkHome() error {
	info, err := os.Stat(s.Home)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("the home %s is not a folder", s.Home)
	}
	if !ownedByUs(info) {
		return fmt.Errorf("the home %s belongs to another user; set HOYEON_HOME to a folder of your own", s.Home)
	}
	return nil
}

// Locate returns the first of Homes whose state of sid satisfies want, and that state. Homes that cannot
// be read and states that are damaged are passed over; a sid that is not one is found nowhere.
func Locate(getenv func(string) string, cwd, sid string, want func(state []byte) bool) (Store, []byte, bool) {
	for _, s := range Homes(getenv, cwd) {
		if state, err := s.Load(sid); err == nil && want(state) {
			return s, state, true
		}
	}
	return Store{}, nil, false
}

// Current returns the home of the session sid: the first whose state has an active loop, else the first
// with a state that can be read, else the first with a state file at all. It is where a reader looks and where a
// change goes, so that one session does not get two states. False: the session has no state in any home.
func Current(getenv func(string) string, cwd, sid string) (Store, bool) {
	if s, _, ok := Locate(getenv, cwd, sid, Active); ok {
		return s, true
	}
	if s, _, ok := Locate(getenv, cwd, sid, func([]byte) bool { return true }); ok {
		return s, true
	}
	for _, s := range Homes(getenv, cwd) {
		if _, err := os.Lstat(s.StatePath(sid)); err == nil {
			return s, true
		}
	}
	return Store{}, false
}

// HomeFor returns the home to change the session sid in: Current, else Writable. Where the session has its
// state in a home that cannot be written from here, that one is returned too, and Transform says so:
// a second state elsewhere would be worse.
func HomeFor(getenv func(string) string, cwd, sid string) (Store, error) {
	if err := CheckSID(sid); err != nil {
		return Store{}, err
	}
	if s, ok := Current(getenv, cwd, sid); ok {
		return s, nil
	}
	return Writable(getenv, cwd)
}
