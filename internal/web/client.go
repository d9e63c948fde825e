package web

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// ParseProxies reads the addresses of proxies that are believed: CIDR blocks such as
// 10.0.0.0/8, or single addresses.
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

// clientAddress is who asks. Behind proxies that are believed it is the last address of
// X-Forwarded-For that is no such proxy: each of them adds whom it speaks for at the end,
// and anybody may have written what stands before.
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

// clientName is an address, and of IPv6 the block that one household or machine has.
func clientName(a netip.Addr) string {
	if a.Is6() && !a.IsLoopback() {
		if block, err := a.Prefix(64); err == nil {
			return block.String()
		}
	}
	return a.String()
}
