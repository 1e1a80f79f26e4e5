package tui

import "testing"

func TestADeadlocksRemedyIsSeenWhereThereIsLittleRoom(t *testing.T) {
	const remedy = "break pair-b on /locks/b to end it"
	for _, size := range [][2]int{{80, 24}, {60, 16}, {116, 24}, {120, 40}, {200, 60}} {
		d := drive(t, asked(town()), size[0], size[1])
		d.Press("/").Type("locks/b").Press("enter", "esc")
		if size[1] < 20 {
			d.Press("enter")
		}
		d.See("/locks/b lock", remedy)
	}
}
