package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/zkscope/zkscope/actions"
)

// auditMsg is the audit log as it was read.
type auditMsg struct {
	records []actions.Record
	err     error
}

// readAudit reads the log off the event loop.
func (a *App) readAudit() tea.Cmd {
	read := a.opts.Audit
	if read == nil {
		return nil
	}
	return func() tea.Msg {
		records, err := read()
		return auditMsg{records, err}
	}
}

func (a *App) onAudit(m auditMsg) {
	a.shown.Audit, a.shown.AuditErr = append([]actions.Record{}, m.records...), m.err // of an empty log it is known that it is
	if p := a.page(); p != nil {
		p.Refill()
	}
}
