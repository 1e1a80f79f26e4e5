package krb5

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/jcmturner/gofork/encoding/asn1"
	"github.com/jcmturner/gokrb5/v8/asn1tools"
	"github.com/jcmturner/gokrb5/v8/crypto"
	"github.com/jcmturner/gokrb5/v8/gssapi"
	"github.com/jcmturner/gokrb5/v8/iana/chksumtype"
	"github.com/jcmturner/gokrb5/v8/iana/flags"
	"github.com/jcmturner/gokrb5/v8/iana/keyusage"
	"github.com/jcmturner/gokrb5/v8/messages"
	"github.com/jcmturner/gokrb5/v8/spnego"
	"github.com/jcmturner/gokrb5/v8/types"
)

// exchange is one talk: our AP-REQ; the server's AP-REP, which proves it, and nothing; the protections that it offers, and
// our choice of none; its content.
type exchange struct {
	first []byte
	key   types.EncryptionKey // of the session; of the server's own choice, once it made one
	auth  types.Authenticator
	step  int

	refused func() (again bool)
}

// newExchange makes the first token.
func newExchange(g grant) (*exchange, error) {
	auth, err := types.NewAuthenticator(g.realm, g.name)
	if err != nil {
		return nil, err
	}
	sum := make([]byte, 24) // RFC 4121, 4.1.1: no channel is bound
	binary.LittleEndian.PutUint32(sum, 16)
	binary.LittleEndian.PutUint32(sum[20:], gssapi.ContextFlagMutual|gssapi.ContextFlagInteg)
	auth.Cksum = types.Checksum{CksumType: chksumtype.GSSAPI, Checksum: sum}
	req, err := messages.NewAPReq(g.ticket, g.key, auth)
	if err != nil {
		return nil, err
	}
	types.SetFlag(&req.APOptions, flags.APOptionMutualRequired)
	body, err := req.Marshal()
	if err != nil {
		return nil, err
	}
	token, err := asn1.Marshal(gssapi.OIDKRB5.OID())
	if err != nil {
		return nil, err
	}
	token = append(append(token, 0x01, 0x00), body...)
	return &exchange{first: asn1tools.AddASNAppTag(token, 0), key: g.key, auth: auth}, nil
}

// errNoKerberos is told of a server that ends early.
var errNoKerberos = errors.New("the server offers no Kerberos: it has no login configuration for it")

// Next answers by the number of what was sent.
func (x *exchange) Next(challenge []byte) (answer []byte, done bool, err error) {
	x.step++
	switch {
	case x.step == 1:
		return x.first, false, nil
	case len(challenge) == 0 && x.step == 4:
		return nil, true, nil
	case len(challenge) == 0:
		return nil, false, errNoKerberos
	case x.step == 2:
		return []byte{}, false, x.prove(challenge)
	case x.step == 3:
		answer, err = x.choose(challenge)
		return answer, false, err
	}
	return nil, false, errors.New("the server goes on where Kerberos ends")
}

// prove holds the server to its answer to our request.
func (x *exchange) prove(token []byte) error {
	var t spnego.KRB5Token
	if err := t.Unmarshal(token); err != nil {
		return fmt.Errorf("the server's token is no Kerberos: %s", oneLine(err))
	}
	switch {
	case t.IsKRBError():
		return fmt.Errorf("the server refuses the ticket: %s", oneLine(t.KRBError))
	case !t.IsAPRep():
		return errors.New("the server does not prove itself: its token is no AP-REP")
	}
	plain, err := crypto.DecryptEncPart(t.APRep.EncPart, x.key, keyusage.AP_REP_ENCPART)
	if err != nil {
		return errors.New("the server does not prove itself: its answer is not made with the ticket's key")
	}
	var part messages.EncAPRepPart
	if err := part.Unmarshal(plain); err != nil {
		return errors.New("the server does not prove itself: its answer cannot be read")
	}
	if part.CTime.Unix() != x.auth.CTime.Unix() || part.Cusec != x.auth.Cusec {
		return errors.New("the server does not prove itself: its answer is to another request")
	}
	if len(part.Subkey.KeyValue) > 0 {
		x.key = part.Subkey
	}
	return nil
}

// noProtection is the bit of RFC 4752 that says that messages go as they are.
const noProtection = 1

// choose takes no protection of the messages that follow, which is all that ZooKeeper speaks.
func (x *exchange) choose(token []byte) ([]byte, error) {
	var t gssapi.WrapToken
	if err := t.Unmarshal(unrotated(token), true); err != nil {
		return nil, fmt.Errorf("the server's offer cannot be read: %s", oneLine(err))
	}
	if ok, err := t.Verify(x.key, keyusage.GSSAPI_ACCEPTOR_SEAL); err != nil || !ok || len(t.Payload) < 4 {
		return nil, errors.New("the server's offer is not made with the ticket's key")
	}
	if t.Payload[0]&noProtection == 0 {
		return nil, errors.New("the server wants every message protected, which its clients do not speak")
	}
	kind, err := crypto.GetEtype(x.key.KeyType)
	if err != nil {
		return nil, err
	}
	const ofAcceptor, acceptorsKey = 0x01, 0x04
	reply := gssapi.WrapToken{Flags: t.Flags & acceptorsKey &^ ofAcceptor, EC: uint16(kind.GetHMACBitLength() / 8),
		SndSeqNum: uint64(x.auth.SeqNumber), Payload: []byte{noProtection, 0, 0, 0}}
	if err := reply.SetCheckSum(x.key, keyusage.GSSAPI_INITIATOR_SEAL); err != nil {
		return nil, err
	}
	return reply.Marshal()
}

// unrotated puts a token's data into its order: RFC 4121, 4.2.5.
func unrotated(token []byte) []byte {
	if len(token) <= gssapi.HdrLen {
		return token
	}
	body := len(token) - gssapi.HdrLen
	n := int(binary.BigEndian.Uint16(token[6:8])) % body
	if n == 0 {
		return token
	}
	out := slices.Clone(token[:gssapi.HdrLen])
	out = append(append(out, token[gssapi.HdrLen+n:]...), token[gssapi.HdrLen:gssapi.HdrLen+n]...)
	return out
}
