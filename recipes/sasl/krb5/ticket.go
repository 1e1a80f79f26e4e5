package krb5

import (
	"os"
	"time"

	"github.com/jcmturner/gokrb5/v8/client"
	"github.com/jcmturner/gokrb5/v8/iana/nametype"
	"github.com/jcmturner/gokrb5/v8/keytab"
	"github.com/jcmturner/gokrb5/v8/messages"
	"github.com/jcmturner/gokrb5/v8/types"
)

// grant is a ticket, for the KDC itself or for a server, with what is needed to use it.
type grant struct {
	ticket messages.Ticket
	key    types.EncryptionKey
	ends   time.Time // zero: not known
	realm  string    // ours
	name   types.PrincipalName
	from   os.FileInfo // the credential cache that it comes from, or was asked for with; nil: none
}

// ticket gets a ticket to a server's principal, and begins with it.
func (m *mechanism) ticket(spn string) (*exchange, error) {
	g, kept := m.keeps(spn)
	if !kept {
		var err error
		if g, err = m.ask(spn); err != nil {
			return nil, err
		}
		m.mu.Lock()
		m.kept[spn] = g
		m.mu.Unlock()
	}
	x, err := newExchange(g)
	if err != nil {
		return nil, err
	}
	x.refused = func() bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.kept, spn)
		return kept
	}
	return x, nil
}

// keeps returns the ticket for a server that is kept, while it lasts.
func (m *mechanism) keeps(spn string) (grant, bool) {
	m.mu.Lock()
	g, ok := m.kept[spn]
	m.mu.Unlock()
	if !ok || !time.Now().Before(g.ends) {
		return g, false
	}
	if g.from == nil {
		return g, true
	}
	now, err := os.Stat(m.Cache)
	return g, err == nil && os.SameFile(now, g.from) && now.Size() == g.from.Size() && now.ModTime().Equal(g.from.ModTime())
}

// ask gets a ticket for a server, of the credential cache where it has one already, else of the KDC.
func (m *mechanism) ask(spn string) (grant, error) {
	plain := client.DisablePAFXFAST(true) // which Active Directory and older KDCs do not take
	switch {
	case m.Password != "":
		return m.askAs(client.NewWithPassword(m.name, m.realm, m.Password, m.conf, plain), nil, spn)
	case m.Keytab != "":
		kt, err := keytab.Load(m.Keytab)
		if err != nil {
			return grant{}, here("keytab %s: %s", m.Keytab, oneLine(err))
		}
		return m.askAs(client.NewWithKeytab(m.name, m.realm, kt, m.conf, plain), nil, spn)
	}
	from, _ := os.Stat(m.Cache) // before it is read: one that is written in between is read again
	c, err := m.cached()
	if err != nil {
		return grant{}, err
	}
	entry := func(of types.PrincipalName) (g grant, ok bool) {
		e, ok := c.GetEntry(of)
		if !ok || g.ticket.Unmarshal(e.Ticket) != nil {
			return g, false
		}
		g.key, g.ends, g.realm, g.name, g.from = e.Key, e.EndTime, c.DefaultPrincipal.Realm, c.DefaultPrincipal.PrincipalName, from
		return g, true
	}
	if g, ok := entry(types.NewPrincipalName(nametype.KRB_NT_PRINCIPAL, spn)); ok && time.Now().Before(g.ends) {
		return g, nil
	}
	tgt, ok := entry(types.PrincipalName{NameType: nametype.KRB_NT_SRV_INST, NameString: []string{"krbtgt", m.realm}})
	switch {
	case !ok:
		return tgt, here("the credential cache %s has no ticket of %s: run kinit", m.Cache, m.Principal)
	case !time.Now().Before(tgt.ends):
		return tgt, here("the ticket of %s in %s ended at %s: run kinit", m.Principal, m.Cache, tgt.ends.Local().Format("2006-01-02 15:04:05"))
	}
	cl, err := client.NewFromCCache(c, m.conf, plain)
	if err != nil {
		return tgt, here("the credential cache %s: %s", m.Cache, oneLine(err))
	}
	return m.askAs(cl, &tgt, spn)
}

// askAs asks the KDC for a ticket for a server; tgt is the one that lets us ask, nil: that is asked for too.
func (m *mechanism) askAs(cl *client.Client, tgt *grant, spn string) (g grant, err error) {
	defer cl.Destroy()
	g.realm, g.name = cl.Credentials.Domain(), cl.Credentials.CName()
	name := types.NewPrincipalName(nametype.KRB_NT_PRINCIPAL, spn)
	if realm := m.conf.ResolveRealm(name.NameString[len(name.NameString)-1]); realm != "" && realm != m.realm {
		if err = cl.AffirmLogin(); err == nil { // by way of our own realm's KDC to another's: how long it lasts is not told
			g.ticket, g.key, err = cl.GetServiceTicket(spn)
		}
		return g, m.plainly(err, spn)
	}
	if tgt == nil {
		req, err := messages.NewASReqForTGT(m.realm, m.conf, g.name)
		if err != nil {
			return g, m.plainly(err, spn)
		}
		rep, err := cl.ASExchange(m.realm, req, 0)
		if err != nil {
			return g, m.plainly(err, spn)
		}
		tgt = &grant{ticket: rep.Ticket, key: rep.DecryptedEncPart.Key}
	}
	_, rep, err := cl.TGSREQGenerateAndExchange(name, m.realm, tgt.ticket, tgt.key, false)
	if err != nil {
		return g, m.plainly(err, spn)
	}
	g.ticket, g.key, g.ends, g.from = rep.Ticket, rep.DecryptedEncPart.Key, rep.DecryptedEncPart.EndTime, tgt.from
	return g, nil
}

// Refused forgets the ticket, and reports whether it was an old one.
func (x *exchange) Refused() bool { return x.refused() }
