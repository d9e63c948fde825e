package web

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// ParseProxies reads the addresses of trusted proxies: CIDR blocks such as 10.0.0.0/8, or
// single addresses.
func ParseProxies(list []string) (proxies []netip.Prefix, err error) {
	for _, text := range list {
		block, err := netip.ParsePrefix(text)
		if one, failed := netip.ParseAddr(text); failed == nil {
			block, err = one.Unmap().Prefix(one.Unmap().BitLen())
		}
		if err != nil {
			return nil, fmt.Errorf("--trusted-proxy %q is not a block of addresses such as 10.0.0.0/8, nor an address", text)
		}
		proxies = append(proxies, block.Masked())
	}
	return proxies, nil
}

// clientAddress is the address of the client. Behind trusted proxies it is the last address
// in X-Forwarded-For that is not a trusted proxy: each proxy appends the address it serves,
// and a client can forge everything before that.
func clientAddress(r *http.Request, proxies []netip.Prefix) string {
	peer, ok := addressOf(r.RemoteAddr)
	if !ok {
		return r.RemoteAddr
	}
	if !trusted(proxies, peer) {
		return clientName(peer)
	}
	list := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, text := range slices.Backward(list) {
		said, ok := addressOf(strings.TrimSpace(text))
		if !ok {
			break
		}
		if peer = said; !trusted(proxies, said) {
			break
		}
	}
	return clientName(peer)
}

// addressOf reads an address with or without a port.
func addressOf(text string) (netip.Addr, bool) {
	if a, err := netip.ParseAddrPort(text); err == nil {
		return a.Addr().Unmap().WithZone(""), true
	}
	a, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return a.Unmap().WithZone(""), err == nil
}

func trusted(proxies []netip.Prefix, a netip.Addr) bool {
	return slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return p.Contains(a) })
}

// clientName is an address, or the /64 block of an IPv6 address, since one client has the
// whole block.
func clientName(a netip.Addr) string {
	if a.Is6() && !a.IsLoopback() {
		if block, err := a.Prefix(64); err == nil {
			return block.String()
		}
	}
	return a.String()
}
