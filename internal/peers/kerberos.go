package peers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// KDC is a real Kerberos server of one realm, on loopback.
type KDC struct {
	Realm, Conf string // Conf is its clients' krb5.conf

	t    testing.TB
	dir  string
	proc *Proc
}

// Kerberos starts a KDC of the realm ZK.TEST.
func Kerberos(t testing.TB) *KDC {
	t.Helper()
	Require(t, NeedKerberos)
	k := &KDC{Realm: "ZK.TEST", t: t, dir: t.TempDir()}
	k.Conf = filepath.Join(k.dir, "krb5.conf")
	port := FreePort(t)
	must(t, os.WriteFile(k.Conf, fmt.Appendf(nil, `[libdefaults]
 default_realm = %s
 rdns = false
 dns_canonicalize_hostname = false
 dns_lookup_kdc = false
[realms]
 %[1]s = {
  kdc = 127.0.0.1:%d
 }
[domain_realm]
 127.0.0.1 = %[1]s
`, k.Realm, port), 0o600))
	must(t, os.WriteFile(filepath.Join(k.dir, "kdc.conf"), fmt.Appendf(nil, `[logging]
 kdc = STDERR
[kdcdefaults]
 kdc_listen = 127.0.0.1:%d
 kdc_tcp_listen = 127.0.0.1:%[1]d
[realms]
 %s = {
  database_name = %s/principal
  key_stash_file = %[3]s/stash
  acl_file = %[3]s/acl
  max_life = 10h
  max_renewable_life = 10h
 }
`, port, k.Realm, k.dir), 0o600))
	k.run("", "/usr/sbin/kdb5_util", "create", "-s", "-P", "master", "-r", k.Realm)
	k.proc = Start(t, k.dir, k.env(), "/usr/sbin/krb5kdc", "-n", "-r", k.Realm)
	WaitFor(t, 20*time.Second, "the KDC serves", func() bool { return strings.Contains(k.proc.Output(), "commencing operation") })
	return k
}

func (k *KDC) env() []string {
	return append(os.Environ(), "KRB5_CONFIG="+k.Conf, "KRB5_KDC_PROFILE="+filepath.Join(k.dir, "kdc.conf"), "LC_ALL=C")
}

// run runs one of the KDC's programs to its end.
func (k *KDC) run(stdin, name string, args ...string) {
	k.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Dir, cmd.Stdin = k.env(), k.dir, strings.NewReader(stdin)
	if out, err := cmd.CombinedOutput(); err != nil {
		k.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// Principal makes one with a password, in a form that kadmin takes: without spaces.
func (k *KDC) Principal(name, password string) {
	k.t.Helper()
	k.run("", "/usr/sbin/kadmin.local", "-r", k.Realm, "addprinc", "-pw", password, "+requires_preauth", name)
}

// Keytab makes a principal with a key in a file of its own.
func (k *KDC) Keytab(name string) string {
	k.t.Helper()
	file := filepath.Join(k.dir, strings.ReplaceAll(name, "/", "_")+".keytab")
	k.run("", "/usr/sbin/kadmin.local", "-r", k.Realm, "addprinc", "-randkey", "+requires_preauth", name)
	k.run("", "/usr/sbin/kadmin.local", "-r", k.Realm, "ktadd", "-k", file, name)
	return file
}

// Rekey gives a principal another key, which no keytab has.
func (k *KDC) Rekey(name string) {
	k.t.Helper()
	k.run("", "/usr/sbin/kadmin.local", "-r", k.Realm, "change_password", "-randkey", name)
}

// Tickets returns a credential cache with a ticket that lasts for a while, which is whole seconds.
func (k *KDC) Tickets(name, password string, lasts time.Duration) string {
	k.t.Helper()
	file := filepath.Join(k.dir, fmt.Sprintf("%s.%d.cache", name, time.Now().UnixNano()))
	k.Into(file, name, password, lasts)
	return file
}

// Into has tickets that last for a while, which is whole seconds, in a credential cache that may be there already, in the place
// of what it had. More arguments of kinit come last.
func (k *KDC) Into(cache, name, password string, lasts time.Duration, more ...string) {
	k.t.Helper()
	args := append([]string{"-c", "FILE:" + cache, "-l", fmt.Sprintf("%ds", int(lasts.Seconds()))}, more...)
	k.run(password+"\n", "/usr/bin/kinit", append(args, name)...)
}

// Renew has a credential cache's ticket renewed, and reports whether that was in time.
func (k *KDC) Renew(cache string) bool {
	cmd := exec.Command("/usr/bin/kinit", "-R", "-c", "FILE:"+cache)
	cmd.Env = k.env()
	return cmd.Run() == nil
}

// ServerFlags are a ZooKeeper server's flags by which it is known to the realm; what is needed in its configuration is SASLConfig.
func (k *KDC) ServerFlags() []string {
	k.t.Helper()
	const name = "zookeeper/127.0.0.1"
	file := filepath.Join(k.dir, "server.jaas")
	must(k.t, os.WriteFile(file, fmt.Appendf(nil, "Server {\n com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true useTicketCache=false keyTab=%q principal=%q;\n};\n",
		k.Keytab(name), name+"@"+k.Realm), 0o600))
	return []string{"-Djava.security.auth.login.config=" + file, "-Djava.security.krb5.conf=" + k.Conf}
}

// SASLConfig has a server take users by SASL, those of Kerberos by the first part of their names.
const SASLConfig = "authProvider.1=org.apache.zookeeper.server.auth.SASLAuthenticationProvider\n" +
	"kerberos.removeHostFromPrincipal=true\nkerberos.removeRealmFromPrincipal=true\n"

// Asked is how often the KDC was asked so far, whatever it answered.
func (k *KDC) Asked() int {
	said := k.proc.Output()
	return strings.Count(said, "AS_REQ (") + strings.Count(said, "TGS_REQ (")
}

// Restart starts it again, with what it knew.
func (k *KDC) Restart() {
	k.t.Helper()
	k.proc = Start(k.t, k.dir, k.env(), "/usr/sbin/krb5kdc", "-n", "-r", k.Realm)
	WaitFor(k.t, 20*time.Second, "the KDC serves again", func() bool { return strings.Contains(k.proc.Output(), "commencing operation") })
}

// Stop ends it.
func (k *KDC) Stop() { k.proc.Kill() }
