# zkscope alone, for nobody: docker build -t zkscope . && docker run --rm -it zkscope demo
# What it is built from comes from this clone and from Go's module proxy, nothing else.
FROM golang:1.26 AS build
WORKDIR /src
ENV CGO_ENABLED=0 GOFLAGS=
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN go build -trimpath -tags=nethttpomithttp2 -gcflags=google.golang.org/protobuf/...=-l -gcflags=github.com/prometheus/...=-l -gcflags=github.com/jcmturner/...=-l -gcflags=go.yaml.in/...=-l -gcflags=github.com/spf13/...=-l -gcflags=github.com/zkscope/zkscope/internal/cli/...=-l -buildvcs=auto -ldflags="-s -w -buildid=" -o /out/usr/bin/zkscope . \
 && mkdir -p /out/etc/ssl/certs /out/config /out/state \
 && cp /etc/ssl/certs/ca-certificates.crt /out/etc/ssl/certs/ \
 && chown -R 65532:65532 /out/config /out/state

FROM scratch
COPY --from=build /out/ /
# The configuration is read from /config/zkscope/config.yaml; the audit log is kept in /state/zkscope.
ENV XDG_CONFIG_HOME=/config XDG_STATE_HOME=/state HOME=/state TERM=xterm-256color
USER 65532:65532
VOLUME /state
ENTRYPOINT ["/usr/bin/zkscope"]
