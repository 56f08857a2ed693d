//! Access control.
//!
//! Any page that a user opens can make their browser send requests to servers on their own machine. So a
//! request must name this server as its host, with an address that no name server can redirect; must not
//! come from another page; and must know the token, which other users of the machine do not.

use std::hash::{BuildHasher, RandomState};
use std::net::SocketAddr;
use std::sync::Mutex;

use hyper::StatusCode;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, COOKIE, HOST, HeaderName, ORIGIN};
use hyper::http::request::Parts;

use super::reply::Refusal;
use crate::threads::locked;

/// The checks before anything else.
pub struct AccessControl {
    address: SocketAddr,
    token: String,
    /// A secret that admits once, in place of the token.
    ticket: Mutex<Option<String>>,
}

/// The header in which a browser says where a request comes from.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

impl AccessControl {
    /// The access control of a server at this address, with a new token.
    pub fn new(address: SocketAddr) -> AccessControl {
        AccessControl {
            address,
            token: secret(),
            ticket: Mutex::default(),
        }
    }

    /// The address of the page with the token, to be opened in a browser.
    pub fn url(&self) -> String {
        self.url_with("token", &self.token)
    }

    /// The address with a new ticket, which admits once, in place of the token: other users of the machine can see
    /// the arguments with which a browser is started.
    pub fn ticket_url(&self) -> String {
        let ticket = secret();
        let url = self.url_with("ticket", &ticket);
        *locked(&self.ticket) = Some(ticket);
        url
    }

    fn url_with(&self, name: &str, secret: &str) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip([127, 0, 0, 1].into());
        }
        format!("http://{address}/?{name}={secret}")
    }

    /// Checks host and origin, which every request needs. Errors: they are foreign.
    pub fn check_origin(&self, head: &Parts) -> Result<(), Refusal> {
        let foreign = |why: &str| Err(Refusal::new(StatusCode::FORBIDDEN, why));
        let mut hosts = head.headers.get_all(HOST).iter();
        let host = match (hosts.next(), hosts.next()) {
            (Some(host), None) => host.to_str().unwrap_or_default(),
            _ => return foreign("expected one Host header, the address that lab serve printed"),
        };
        let target = head.uri.authority().map(|authority| authority.as_str());
        if !self.is_own(host) || target.is_some_and(|target| target != host) {
            return foreign(
                "this host is not the one of lab serve; open the address that it printed",
            );
        }
        for origin in head.headers.get_all(ORIGIN) {
            let origin = origin.to_str().unwrap_or_default();
            if origin.strip_prefix("http://") != Some(host) {
                return foreign("requests of other pages are refused");
            }
        }
        Ok(())
    }

    /// Checks what else a request to the interface needs. Errors: something is missing.
    pub fn check_api(&self, head: &Parts) -> Result<(), Refusal> {
        if let Some(site) = head.headers.get(FETCH_SITE)
            && site != "same-origin"
            && site != "none"
        {
            let why = "requests of other pages are refused";
            return Err(Refusal::new(StatusCode::FORBIDDEN, why));
        }
        if !self.has_token(head) {
            let why = "the token is missing or wrong; open the address that lab serve printed when it started";
            return Err(Refusal::new(StatusCode::UNAUTHORIZED, why));
        }
        Ok(())
    }

    /// Whether this is the token.
    pub fn is_token(&self, given: &str) -> bool {
        is_same(given, &self.token)
    }

    /// Whether this is the ticket, which is valid only once.
    pub fn take_ticket(&self, given: &str) -> bool {
        let mut ticket = locked(&self.ticket);
        ticket.take_if(|ticket| is_same(given, ticket)).is_some()
    }

    /// The header that makes a browser keep the token, and send it only for requests of this page. Cookies do
    /// not depend on the port: it goes to every server at this address, which for 127.0.0.1 are those of this
    /// machine. The port in its name keeps two servers of this program apart.
    pub fn cookie(&self) -> String {
        let (name, token) = (self.cookie_name(), &self.token);
        format!("{name}={token}; Path=/; HttpOnly; SameSite=Strict")
    }

    fn cookie_name(&self) -> String {
        format!("lab-{}", self.address.port())
    }

    fn has_token(&self, head: &Parts) -> bool {
        let texts = |name| {
            let all = head.headers.get_all(name).iter();
            all.filter_map(|value| value.to_str().ok())
        };
        let name = self.cookie_name();
        let cookies = texts(COOKIE).flat_map(|all| all.split(';'));
        let mut cookies = cookies.filter_map(|one| one.trim().split_once('='));
        cookies.any(|(of, token)| of == name && self.is_token(token))
            || texts(AUTHORIZATION)
                .filter_map(|text| text.split_once(' '))
                .any(|(scheme, token)| {
                    scheme.eq_ignore_ascii_case("bearer") && self.is_token(token)
                })
    }

    /// Whether a host is this server: exactly one of the loopback's names, or, if other machines
    /// may connect, also any numeric address, which nobody can redirect.
    fn is_own(&self, host: &str) -> bool {
        let port = self.address.port();
        let mut host = host.to_owned();
        if port == 80 && !host.ends_with(":80") {
            // Browsers leave out this port.
            host += ":80";
        }
        let loopback = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
        if loopback.contains(&host) {
            return true;
        }
        let is_own = |named: SocketAddr| {
            named.port() == port
                && (named.ip() == self.address.ip() || self.address.ip().is_unspecified())
        };
        // Only in one form, so that the origin can be compared with it.
        host.parse()
            .is_ok_and(|named: SocketAddr| is_own(named) && named.to_string() == host)
    }
}

/// Whether the body of a request is declared as JSON.
pub fn is_json(head: &Parts) -> bool {
    let kind = head.headers.get(CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next());
    kind.map(str::trim) == Some("application/json")
}

/// 32 characters that nobody can guess.
fn secret() -> String {
    // The standard library keys its hashes with random numbers from the system.
    let part = |number: u8| RandomState::new().hash_one(number);
    format!("{:016x}{:016x}", part(0), part(1))
}

/// Whether two secrets are the same; takes the same time for every wrong one.
fn is_same(given: &str, secret: &str) -> bool {
    let differs = |all: u8, (a, b): (u8, u8)| all | (a ^ b);
    let pairs = given.bytes().zip(secret.bytes());
    given.len() == secret.len() && pairs.fold(0, differs) == 0
}

#[cfg(test)]
mod tests {
    use hyper::Request;
    use hyper::http::request::Parts;

    use super::{AccessControl, is_json};

    fn head(headers: &[(&str, &str)]) -> Parts {
        let mut request = Request::builder().method("POST").uri("/api/move");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).unwrap().into_parts().0
    }

    fn origin(access: &AccessControl, headers: &[(&str, &str)]) -> bool {
        access.check_origin(&head(headers)).is_ok()
    }

    #[test]
    fn only_its_own_names_are_let_in() {
        let access = AccessControl::new("127.0.0.1:8000".parse().unwrap());
        for host in ["127.0.0.1:8000", "localhost:8000", "[::1]:8000"] {
            assert!(origin(&access, &[("host", host)]), "{host}");
            let own = format!("http://{host}");
            assert!(origin(&access, &[("host", host), ("origin", &own)]));
        }
        for host in [
            "evil.example",
            "localhost",
            "localhost:80",
            "localhost:8000.evil.example",
            "localhost:8000@evil.example",
            "LOCALHOST:8000",
            "127.1:8000",
            "192.168.0.1:8000",
            "0.0.0.0:8000",
            "",
        ] {
            assert!(!origin(&access, &[("host", host)]), "{host}");
        }
        let own = ("host", "localhost:8000");
        assert!(!origin(&access, &[]));
        assert!(!origin(&access, &[own, own]));
        for foreign in [
            "http://evil.example",
            "https://localhost:8000",
            "http://127.0.0.1:8000",
            "http://localhost:80000",
            "null",
            "",
        ] {
            assert!(!origin(&access, &[own, ("origin", foreign)]), "{foreign}");
        }
    }

    #[test]
    fn a_server_for_others_is_named_by_number() {
        let access = AccessControl::new("0.0.0.0:8000".parse().unwrap());
        assert!(access.url().starts_with("http://127.0.0.1:8000/?token="));
        assert!(origin(&access, &[("host", "192.168.0.1:8000")]));
        assert!(origin(&access, &[("host", "localhost:8000")]));
        assert!(!origin(&access, &[("host", "rebound.example:8000")]));
        assert!(!origin(&access, &[("host", "192.168.0.1:80")]));
    }

    #[test]
    fn at_port_80_the_host_has_no_port() {
        let access = AccessControl::new("127.0.0.1:80".parse().unwrap());
        for host in ["127.0.0.1", "localhost", "[::1]", "localhost:80"] {
            let own = format!("http://{host}");
            assert!(
                origin(&access, &[("host", host), ("origin", &own)]),
                "{host}"
            );
        }
        for host in [
            "evil.example",
            "localhost:8000",
            "192.168.0.1",
            "::1",
            "127.1",
            "",
        ] {
            assert!(!origin(&access, &[("host", host)]), "{host}");
        }
        let access = AccessControl::new("0.0.0.0:80".parse().unwrap());
        assert!(origin(&access, &[("host", "192.168.0.1")]));
        assert!(!origin(&access, &[("host", "rebound.example")]));
    }

    #[test]
    fn a_ticket_lets_in_once() {
        let access = AccessControl::new("127.0.0.1:8000".parse().unwrap());
        assert!(!access.take_ticket(""));
        let url = access.ticket_url();
        assert!(!url.contains(&access.token));
        let (_, ticket) = url.split_once("/?ticket=").unwrap();
        assert!(!access.is_token(ticket) && !access.take_ticket(&access.token));
        assert!(access.take_ticket(ticket) && !access.take_ticket(ticket));
    }

    #[test]
    fn the_interface_wants_the_token() {
        let access = AccessControl::new("127.0.0.1:8000".parse().unwrap());
        let other = AccessControl::new("127.0.0.1:8000".parse().unwrap());
        let bearer = |access: &AccessControl| format!("Bearer {}", access.token);
        let cookie = |access: &AccessControl| format!("a=b; lab-8000={}", access.token);
        let status = |headers: &[(&str, &str)]| {
            let checked = access.check_api(&head(headers));
            checked.err().map_or(200, |refusal| refusal.status.as_u16())
        };
        assert_eq!(access.token.len(), 32);
        let lower = bearer(&access).replacen('B', "b", 1);
        assert_eq!(status(&[("authorization", &lower)]), 200);
        assert_eq!(status(&[("authorization", &bearer(&access))]), 200);
        assert_eq!(status(&[("cookie", &cookie(&access))]), 200);
        assert_eq!(status(&[]), 401);
        assert_eq!(status(&[("authorization", &bearer(&other))]), 401);
        assert_eq!(status(&[("cookie", &cookie(&other))]), 401);
        assert_eq!(status(&[("cookie", "lab-8000=")]), 401);
        let own = ("authorization", &*bearer(&access));
        assert_eq!(status(&[own, ("sec-fetch-site", "same-site")]), 403);
        assert_eq!(status(&[own, ("sec-fetch-site", "cross-site")]), 403);
        assert_eq!(status(&[own, ("sec-fetch-site", "same-origin")]), 200);
    }

    #[test]
    fn json_is_told_from_what_other_pages_may_send() {
        let said = |kind: &str| is_json(&head(&[("content-type", kind)]));
        assert!(said("application/json; charset=utf-8"));
        assert!(!said("text/plain") && !said("application/x-www-form-urlencoded"));
        assert!(!is_json(&head(&[])));
    }
}
