package web

import (
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
)

// policy lets the page load nothing but what this server sends, and nothing inline.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
	"font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// strict are the security headers of every answer. They are shared and must not be changed.
var strict = http.Header{
	"Content-Security-Policy":      {policy},
	"X-Content-Type-Options":       {"nosniff"},
	"Referrer-Policy":              {"no-referrer"},
	"Cross-Origin-Opener-Policy":   {"same-origin"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
}

// guarded refuses requests from pages of other sites, and sets the security headers.
//
// Such a page can make a browser connect here in two ways. With DNS rebinding a name of its
// own points to this machine: then Host is that name. In a cross-origin request the browser
// says so. Without CORS the page could not read the answer, but the work would be done.
func guarded(hosts []string, next http.Handler) http.Handler {
	crossing := http.NewCrossOriginProtection()
	crossing.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		turnAway(w, r, func() { plain(w, http.StatusForbidden, "A page of another site may not ask this server.") })
	}))
	checked := crossing.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		maps.Copy(w.Header(), strict)
		if !allowed(hosts, r.Host) {
			turnAway(w, r, func() {
				plain(w, http.StatusMisdirectedRequest, "This server does not answer to that name: start it with --host NAME if it should.")
			})
			return
		}
		checked.ServeHTTP(w, r)
	})
}

// allowed reports whether a request may name this host.
func allowed(hosts []string, host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(strings.Trim(name, "[]"), "."))
	if ip := net.ParseIP(name); name == "localhost" || ip != nil && ip.IsLoopback() {
		return true
	}
	return slices.ContainsFunc(hosts, func(h string) bool { return h == "*" || strings.EqualFold(h, name) })
}

// CheckAddress refuses an address that other machines can reach, unless public is set. It
// returns the host names that requests may use.
func CheckAddress(addr string, public bool, names []string) (hosts []string, err error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("--addr %q is not an address such as 127.0.0.1:8420", addr)
	}
	ip := net.ParseIP(host)
	loopback := host == "localhost" || ip != nil && ip.IsLoopback()
	if !loopback && !public {
		return nil, fmt.Errorf("--addr %s can be reached by other machines: give --public if that is meant, or an address such as 127.0.0.1:8420", addr)
	}
	hosts = append(hosts, names...)
	if host != "" && (ip == nil || !ip.IsUnspecified()) {
		hosts = append(hosts, host)
	}
	return hosts, nil
}
