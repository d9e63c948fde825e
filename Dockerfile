# One static program and nothing else:
#
#   docker build -t tengen .
#   docker run --rm -p 127.0.0.1:8420:8420 -v tengen:/data tengen
#   docker run --rm -v "$PWD:/data" --user "$(id -u)" tengen solve nogo 4x5
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w -X tengen/internal/cli.stamp=$VERSION" -o /root.fs/tengen ./cmd/tengen \
    && mkdir -m 1777 /root.fs/data /root.fs/tmp

FROM scratch
COPY --from=build /root.fs /
# Tables and databases are kept under HOME, so that a volume keeps them.
ENV HOME=/data
WORKDIR /data
USER 65532:65532
EXPOSE 8420
ENTRYPOINT ["/tengen"]
# Requests must come under a name of loopback, as they do through -p; docs/server.md has
# the flags for other names.
CMD ["serve", "--addr", "0.0.0.0:8420", "--public"]
