package notify

import (
	"encoding/json"
	"fmt"
	"time"
)

// Form is how a message is spelled.
type Form string

// The forms.
const (
	Slack        Form = "slack"        // {"text": …}, which Mattermost and Rocket.Chat take, too
	Alertmanager Form = "alertmanager" // a list for its /api/v2/alerts; what stands is told anew before it would resolve it
	JSON         Form = "json"         // {"schema": 1, "alerts": […]}
)

// Forms are all forms.
func Forms() []Form { return []Form{Slack, Alertmanager, JSON} }

// Again is how often Alertmanager is told of what stands: it takes for resolved what it has not heard of for five minutes.
const Again = time.Minute

// Body is the message that tells of alerts.
func (f Form) Body(all []Alert) ([]byte, error) {
	switch f {
	case Slack:
		text := ""
		for _, a := range all {
			text += a.line() + "\n"
		}
		return json.Marshal(map[string]string{"text": text})
	case Alertmanager:
		out := make([]any, len(all))
		for i, a := range all {
			m := map[string]any{"startsAt": a.Begin.UTC().Format(time.RFC3339Nano), "annotations": map[string]string{"summary": a.Text},
				"labels": map[string]string{"alertname": "zkscope_" + a.Code, "code": a.Code, "severity": a.Severity, "ensemble": a.Ensemble, "path": a.Path}}
			if !a.End.IsZero() {
				m["endsAt"] = a.End.UTC().Format(time.RFC3339Nano)
			}
			out[i] = m
		}
		return json.Marshal(out)
	}
	type alert struct {
		State    string     `json:"state"` // begun or ended
		Ensemble string     `json:"ensemble"`
		Code     string     `json:"code"`
		Severity string     `json:"severity"`
		Path     *string    `json:"path"`
		Text     string     `json:"text"`
		Begin    time.Time  `json:"begin"`
		End      *time.Time `json:"end"`
	}
	out := struct {
		Schema int     `json:"schema"`
		Alerts []alert `json:"alerts"`
	}{Schema: 1}
	for _, a := range all {
		x := alert{State: "begun", Ensemble: a.Ensemble, Code: a.Code, Severity: a.Severity, Text: a.Text, Begin: a.Begin.UTC()}
		if a.Path != "" {
			x.Path = &a.Path
		}
		if !a.End.IsZero() {
			end := a.End.UTC()
			x.State, x.End = "ended", &end
		}
		out.Alerts = append(out.Alerts, x)
	}
	return json.Marshal(out)
}

// line is an alert in one line, for people.
func (a *Alert) line() string {
	where := a.Path
	if where == "" {
		where = "the ensemble"
	}
	if !a.End.IsZero() {
		return fmt.Sprintf("ended after %v: %s on %s, %s", a.End.Sub(a.Begin).Round(time.Second), a.Code, where, a.Ensemble)
	}
	return fmt.Sprintf("%s: %s on %s, %s: %s", a.Severity, a.Code, where, a.Ensemble, a.Text)
}
