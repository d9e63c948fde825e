# One static program and nothing else:
#
#   docker build -t tengen .
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
ENTRYPOINT ["/tengen"]
