package recipes

import (
	"context"

	"github.com/zkscope/zkscope/internal/wire"
	"github.com/zkscope/zkscope/internal/zkc"
)

// go-zookeeper sends nothing in one piece: what the recipes ask for together is asked for in turn, or not at all.

func (b *borrowed) enter(ctx context.Context, path string, data []byte, flags int32, acl []wire.ACL, _ bool) (zkc.Entered, error) {
	made, err := b.Create(ctx, path, data, flags, acl)
	return zkc.Entered{Created: made}, err
}

func (b *borrowed) stand(ctx context.Context, paths []string) ([]bool, error) {
	out := make([]bool, len(paths))
	for i, p := range paths {
		var err error
		if _, out[i], err = b.Exists(ctx, p); err != nil {
			return nil, err
		}
	}
	return out, nil
}
