package cli

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"github.com/zkscope/zkscope/internal/cli/world"
	"github.com/zkscope/zkscope/internal/config"
)

// settings reads the configuration file and takes from its profile what the command line leaves open.
func (c *Line) settings(fs *pflag.FlagSet) error {
	if err := world.NoPipe(map[string]string{"--config": c.flags.config}); err != nil {
		return err
	}
	c.configPath()
	f, err := world.WhileReading(func() (*config.File, error) { return config.Read(c.cfgPath, c.flags.config != "") })
	if err != nil {
		return world.Failure{Code: world.ExitUsage, Err: err}
	}
	c.cfg = *f
	c.flags.hints = append(c.flags.hints, c.cfg.Hints...)
	c.flags.ascii = c.flags.ascii || c.cfg.ASCII
	c.flags.mouse = c.flags.mouse || c.cfg.Mouse
	if c.flags.theme == "" {
		c.flags.theme = c.cfg.Theme
		if _, err := ground(c.flags.theme, nil); err != nil {
			return err
		}
	}
	name := c.flags.profile
	if name == "" {
		name = c.cfg.Profile
	}
	if name == "" {
		return nil
	}
	if c.profile, err = c.cfg.Find(name); err != nil {
		return world.Failure{Code: world.ExitUsage, Err: err}
	}
	c.profileName = name
	if c.flags.profile != "" {
		if c.flags.servers != "" {
			return world.Fail(world.ExitUsage, "--profile names the servers; --servers does not go with it")
		}
		return c.useProfile(fs)
	}
	return nil
}

// configPath finds where the configuration file is, or would be.
func (c *Line) configPath() {
	home := c.Getenv("XDG_CONFIG_HOME")
	if home == "" {
		home = xdg.ConfigHome
	}
	c.cfgPath = config.Path(c.flags.config, home)
}

// useProfile takes over a profile. What stands on the command line stays.
func (c *Line) useProfile(fs *pflag.FlagSet) error {
	p, f := c.profile, &c.flags
	if c.secretless {
		p.AuthFile, p.AuthEnv, p.AuthCommand = "", "", nil
	}
	if c.unasked {
		p.AuthCommand = nil
	}
	if f.servers == "" {
		f.servers = p.Servers
	}
	if p.Root != "" && !fs.Changed("root") {
		f.root = p.Root
	}
	f.readOnly = f.readOnly || p.ReadOnly
	if len(f.admin) == 0 {
		f.admin = p.Admin
	}
	if len(f.fourLetter) == 0 {
		f.fourLetter = p.FourLetter
	}
	if err := f.access.take(p, c.Getenv, c.aside); err != nil {
		return world.Failure{Code: world.ExitUsage, Err: err}
	}
	return nil
}

// needReason reports whether the profile in use asks for a reason of what is done.
func (c *Line) needReason() bool {
	return c.profile.NeedReason && c.flags.servers == c.profile.Servers
}

// profileInUse is the name of the profile that says where to connect; empty: none does.
func (c *Line) profileInUse() string {
	if c.profile.Servers != "" && c.flags.servers == c.profile.Servers {
		return c.profileName
	}
	return ""
}

// production is the name of the profile in use where that is marked as one.
func (c *Line) production() string {
	if c.profile.Production && c.flags.servers == c.profile.Servers {
		return c.profileName
	}
	return ""
}

func (c *Line) stateHome() string {
	if dir := c.Getenv("XDG_STATE_HOME"); dir != "" {
		return dir
	}
	return xdg.StateHome
}

// auditPath is where the audit log lies: under the user's state folder, unless another place was named.
func (c *Line) auditPath() string {
	if c.flags.auditLog != "" {
		return c.flags.auditLog
	}
	return filepath.Join(c.stateHome(), "zkscope", "audit.jsonl")
}

// withoutSecrets is an environment without what holds credentials of ours.
func (c *Line) withoutSecrets(ours []string) (out []string) {
	secret := map[string]bool{authVar: true}
	for _, p := range c.cfg.Profiles {
		secret[p.AuthEnv] = true
	}
	for _, v := range ours {
		if name, _, _ := strings.Cut(v, "="); !secret[name] {
			out = append(out, v)
		}
	}
	return out
}

// ruleAt are the keys of what is wrong with a rule: of the value where it stands, else of the rule.
func ruleAt(f *config.File, rule []string, key string) []string {
	if at := append(slices.Clone(rule), key); f.Lines[config.Key(at...)] > 0 {
		return at
	}
	return rule
}
