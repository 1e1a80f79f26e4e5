package command

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/config"
)

// Settings reads the configuration file and takes from its profile what the command line leaves open.
func (c *Line) Settings(fs *pflag.FlagSet) error {
	if err := world.NoPipe(map[string]string{"--config": c.Flags.config}); err != nil {
		return err
	}
	c.ConfigPath()
	f, err := world.WhileReading(func() (*config.File, error) { return config.Read(c.CfgPath, c.Flags.config != "") })
	if err != nil {
		return world.Failure{Code: world.ExitUsage, Err: err}
	}
	c.Cfg = *f
	c.Flags.Hints = append(c.Flags.Hints, c.Cfg.Hints...)
	c.Flags.ascii = c.Flags.ascii || c.Cfg.ASCII
	c.Flags.Mouse = c.Flags.Mouse || c.Cfg.Mouse
	if c.Flags.Theme == "" {
		c.Flags.Theme = c.Cfg.Theme
		if _, err := Ground(c.Flags.Theme, nil); err != nil {
			return err
		}
	}
	name := c.Flags.profile
	if name == "" {
		name = c.Cfg.Profile
	}
	if name == "" {
		return nil
	}
	if c.Profile, err = c.Cfg.Find(name); err != nil {
		return world.Failure{Code: world.ExitUsage, Err: err}
	}
	c.profileName = name
	if c.Flags.profile != "" {
		if c.Flags.Servers != "" {
			return world.Fail(world.ExitUsage, "--profile names the servers; --servers does not go with it")
		}
		return c.useProfile(fs)
	}
	return nil
}

// ConfigPath finds where the configuration file is, or would be.
func (c *Line) ConfigPath() {
	home := c.Getenv("XDG_CONFIG_HOME")
	if home == "" {
		home = xdg.ConfigHome
	}
	c.CfgPath = config.Path(c.Flags.config, home)
}

// useProfile takes over a profile. What stands on the command line stays.
func (c *Line) useProfile(fs *pflag.FlagSet) error {
	p, f := c.Profile, &c.Flags
	if c.Secretless {
		p.AuthFile, p.AuthEnv, p.AuthCommand = "", "", nil
	}
	if c.unasked {
		p.AuthCommand = nil
	}
	if f.Servers == "" {
		f.Servers = p.Servers
	}
	if p.Root != "" && !fs.Changed("root") {
		f.Root = p.Root
	}
	f.ReadOnly = f.ReadOnly || p.ReadOnly
	if len(f.Admin) == 0 {
		f.Admin = p.Admin
	}
	if len(f.FourLetter) == 0 {
		f.FourLetter = p.FourLetter
	}
	if err := f.Access.take(p, c.Getenv, c.Aside); err != nil {
		return world.Failure{Code: world.ExitUsage, Err: err}
	}
	return nil
}

// NeedReason reports whether the profile in use asks for a reason of what is done.
func (c *Line) NeedReason() bool {
	return c.Profile.NeedReason && c.Flags.Servers == c.Profile.Servers
}

// ProfileInUse is the name of the profile that says where to connect; empty: none does.
func (c *Line) ProfileInUse() string {
	if c.Profile.Servers != "" && c.Flags.Servers == c.Profile.Servers {
		return c.profileName
	}
	return ""
}

// Production is the name of the profile in use where that is marked as one.
func (c *Line) Production() string {
	if c.Profile.Production && c.Flags.Servers == c.Profile.Servers {
		return c.profileName
	}
	return ""
}

// StateHome is the folder in which programs keep what they note for themselves.
func (c *Line) StateHome() string {
	if dir := c.Getenv("XDG_STATE_HOME"); dir != "" {
		return dir
	}
	return xdg.StateHome
}

// AuditPath is where the audit log lies: under the user's state folder, unless another place was named.
func (c *Line) AuditPath() string {
	if c.Flags.AuditLog != "" {
		return c.Flags.AuditLog
	}
	return filepath.Join(c.StateHome(), "zkscope", "audit.jsonl")
}

// WithoutSecrets is an environment without what holds credentials of ours.
func (c *Line) WithoutSecrets(ours []string) (out []string) {
	secret := map[string]bool{AuthVar: true}
	for _, p := range c.Cfg.Profiles {
		secret[p.AuthEnv] = true
	}
	for _, v := range ours {
		if name, _, _ := strings.Cut(v, "="); !secret[name] {
			out = append(out, v)
		}
	}
	return out
}

// RuleAt are the keys of what is wrong with a rule: of the value where it stands, else of the rule.
func RuleAt(f *config.File, rule []string, key string) []string {
	if at := append(slices.Clone(rule), key); f.Lines[config.Key(at...)] > 0 {
		return at
	}
	return rule
}
