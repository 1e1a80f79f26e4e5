package sasl_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkscope/zkscope/recipes/sasl"
)

// Files as people have them for Java's clients.
func TestLoginsOfJavasClients(t *testing.T) {
	const text = `/* of the
platform's team */
KafkaServer { com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true; };
Client {
   // ZooKeeper's
   org.apache.zookeeper.server.auth.DigestLoginModule required
   username="bo\"b" # not bob
   password="s;ecret // not a comment";
};
Other { com.sun.security.auth.module.Krb5LoginModule required
   useKeyTab=true keyTab="/etc/zk.keytab" storeKey=true useTicketCache=false
   principal="zkcli/host.example@EXAMPLE.COM"; };`
	file := filepath.Join(t.TempDir(), "jaas.conf")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := sasl.ReadLogin(file, "Client")
	if err != nil || l.Module != "DigestLoginModule" || !maps.Equal(l.Options, map[string]string{"username": `bo"b`, "password": "s;ecret // not a comment"}) {
		t.Errorf("%v %q", err, l.Options)
	}
	if l, err = sasl.ReadLogin(file, "Other"); err != nil || l.Module != "Krb5LoginModule" || l.Options["principal"] != "zkcli/host.example@EXAMPLE.COM" || l.Options["keyTab"] != "/etc/zk.keytab" {
		t.Errorf("%v %q", err, l.Options)
	}
	if _, err := sasl.ReadLogin(file, "Server"); err == nil || !strings.Contains(err.Error(), "no section Server") {
		t.Error(err)
	}
	for wrong, says := range map[string]string{
		"Client {\n a.B required x=1\n};":                                                 "line 3: a semicolon is missing",
		"Client {\n a.B required\n x=\"1;\n};":                                            "line 3: a quotation mark is not closed",
		"Client {\n a.B required x=1;\n};\n\nOther {};\nClient {\n a.B required x=2;\n};": "lines 1 and 6: two sections are called Client",
		"Client {};\nClient {\n a.B required;\n};":                                        "lines 1 and 2: two sections are called Client",
		"Client\n a.B": `line 2: "{" is missing`,
	} {
		if err := os.WriteFile(file, []byte(wrong), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := sasl.ReadLogin(file, "Client"); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// No way of printing shows a secret.
func TestSecretsAreNotPrinted(t *testing.T) {
	for _, v := range []any{sasl.Digest("bob", "secret"), sasl.Login{Module: "DigestLoginModule", Options: map[string]string{"password": "secret"}},
		struct{ M sasl.Mechanism }{sasl.Digest("bob", "secret")}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			if text := fmt.Sprintf(verb, v); strings.Contains(text, "secret") {
				t.Errorf("%s: %s", verb, text)
			}
		}
	}
}

// The example of RFC 2831 is of another service; what is held here is what a server may say wrongly.
func TestAServerThatDoesNotKnowThePassword(t *testing.T) {
	for last, says := range map[string]string{"rspauth=00000000000000000000000000000000": "does not prove", "": "does not prove", `x="`: "is not closed"} {
		x, err := sasl.Digest("bob", "secret").Begin(t.Context(), "zk1")
		if err != nil {
			t.Fatal(err)
		}
		challenge := []byte(`realm="zk-sasl-md5",nonce="n0",charset=utf-8,algorithm=md5-sess,qop="auth"`)
		for i, token := range [][]byte{nil, challenge} {
			answer, done, err := x.Next(token)
			if err != nil || done || i == 1 && strings.Contains(string(answer), "secret") {
				t.Fatal(string(answer), done, err)
			}
		}
		if _, _, err := x.Next([]byte(last)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", last, err)
		}
	}
	for challenge, says := range map[string]string{"": "offers no DIGEST-MD5", "qop=auth-conf,nonce=x": "protection", "realm=x": "no nonce", "=": "no nonce", "x": "no DIGEST-MD5's"} {
		x, _ := sasl.Digest("bob", "secret").Begin(t.Context(), "zk1")
		_, _, _ = x.Next(nil)
		if _, _, err := x.Next([]byte(challenge)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", challenge, err, says)
		}
	}
}
