#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""A server for the tests of URLs: server.py FOLDER LOG [CERTIFICATE]

It serves the files of FOLDER on 127.0.0.1 and prints its port.  A path is /MODE/NAME or
/MODE:N/NAME: the mode says how the server behaves.  LOG gets a line for each answer: the
status and the number of bytes of its body.
"""
import email.utils
import hashlib
import http.server
import os
import ssl
import sys
import threading
import time
import urllib.parse

FOLDER, LOG = sys.argv[1:3]
lock = threading.Lock()
seen = {}		# how often a path was asked for


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def begin(self, code, length, headers):
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def note(self, code, count):
        with lock, open(LOG, "a") as log:
            log.write("%d %d\n" % (code, count))

    def drop(self):
        self.close_connection = True
        try:
            self.connection.shutdown(2)
        except OSError:
            pass

    def fail(self, code, headers=()):
        self.begin(code, 6, dict(headers))
        self.wfile.write(b"sorry\n")
        self.note(code, 6)

    def redirect(self, to):
        self.begin(302, 0, {"Location": to})
        self.note(302, 0)

    def do_GET(self):
        try:
            self.answer()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def answer(self):
        path = urllib.parse.unquote(self.path.split("?")[0])
        _, mode, name = path.split("/", 2)
        mode, _, n = mode.partition(":")
        n = int(n or 0)
        with lock:
            nth = seen[self.path] = seen.get(self.path, 0) + 1
        if mode == "status":
            return self.fail(n)
        if mode == "busy" and nth <= n:
            return self.fail(503)
        if mode == "later" and nth == 1:
            return self.fail(429, {"Retry-After": "1"})
        if mode == "loop":
            return self.redirect(self.path)
        if mode == "moved":
            return self.redirect("/ok/" + name)
        if mode == "elsewhere":
            # to http on the port that is said
            return self.redirect("http://127.0.0.1:%d/ok/%s" % (n, name))
        if mode == "secret" and self.headers.get("Authorization") != "Bearer word":
            return self.fail(401)
        if mode == "token" and len(self.headers.get("x-amz-security-token", "")) != n:
            return self.fail(403)
        if mode == "signed" and not self.headers.get("Authorization", "").startswith(
                "AWS4-HMAC-SHA256 Credential=user/"):
            return self.fail(403)
        if mode == "cutgone" and nth > 1:
            return self.fail(404)
        if mode == "cutempty" and nth > 1:
            return self.fail(416, {"Content-Range": "bytes */0"})
        if mode == "stall" and nth > n:
            time.sleep(8)
            return self.drop()
        try:
            with open(os.path.join(FOLDER, name), "rb") as f:
                body = f.read()
        except OSError:
            return self.fail(404)
        if nth > 1:
            if mode == "grow":
                body += b"more"
            elif mode == "shrink":
                body = body[:-3]
            elif mode in ("replace", "careless", "redated", "streamcareless", "unnamed"):
                body = bytes(b ^ 1 for b in body)
        self.serve(mode, n, nth, body)

    def serve(self, mode, n, nth, body):
        etag = '"%s"' % hashlib.sha1(body).hexdigest()
        if mode == "changing":
            etag = '"%d"' % nth
        headers = {"ETag": etag}
        if mode == "weak":
            headers = {"ETag": "W/" + etag}
        elif mode in ("dated", "redated"):
            when = 1e9 + (nth if mode == "redated" else 0)
            headers = {"Last-Modified": email.utils.formatdate(when, usegmt=True)}
        elif mode in ("plain", "plaincut"):
            headers = {}
        elif mode == "unnamed":
            # the first one has a name, and the others a time alone
            when = {"Last-Modified": email.utils.formatdate(1e9 + nth, usegmt=True)}
            headers = {**headers, **when} if nth == 1 else when
        asked = self.headers.get("Range", "")
        match = self.headers.get("If-Match", etag)
        if match != etag and mode not in ("weak", "careless", "streamcareless", "unnamed"):
            return self.fail(412)
        if mode == "streamcareless":
            mode = "streamcut" if nth == 1 else "noranges"
        if not asked or mode in ("noranges", "plain", "plaincut", "streamcut", "endless",
                                "chunked", "twolengths") or (
                mode == "whole" and nth > 1):
            return self.send(200, mode, n, nth, body, headers, 0)
        if mode == "none" and nth > 1:
            return self.fail(416, {"Content-Range": "bytes */%d" % len(body)})
        first, last = asked.split("=")[1].split("-")
        first, last = int(first), min(int(last), len(body) - 1)
        if first >= len(body):
            return self.fail(416, {"Content-Range": "bytes */%d" % len(body)})
        part = body[first:last + 1]
        if nth > 1:
            if mode == "shifted":
                first, last = first + 1, last + 1
            elif mode == "short":
                part, last = part[:-1], last - 1
            elif mode == "long":
                part += b"x"
            elif mode == "total":
                body += b"x"
        headers["Content-Range"] = "bytes %d-%d/%d" % (first, last, len(body))
        if mode == "gzip":
            headers["Content-Encoding"] = "gzip"
        self.send(206, mode, n, nth, part, headers, first)

    def send(self, code, mode, n, nth, part, headers, first):
        if mode in ("endless", "chunked", "twolengths"):
            self.close_connection = True
            self.send_response(code)
            if mode == "twolengths":
                self.send_header("Content-Length", str(len(part)))
                part = part[:-n]
            if mode != "endless":
                self.send_header("Transfer-Encoding", "chunked")
                part = b"%x\r\n%s\r\n0\r\n\r\n" % (len(part), part)
            self.end_headers()
            self.wfile.write(part)
            return self.note(code, len(part))
        self.begin(code, len(part), headers)
        end = len(part)
        cuts = ("cut", "cutgone", "cutempty", "streamcut", "plaincut") + (("cutonce",) if nth < 3 else ())
        if mode in cuts and first <= n < first + end:
            end = n - first
        if mode == "pieces":
            end = min(end, n)
        if mode == "drip":
            for k in range(end):
                self.wfile.write(part[k:k + 1])
                self.wfile.flush()
        else:
            self.wfile.write(part[:end])
        self.wfile.flush()
        self.note(code, end)
        if end < len(part):
            self.drop()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


server = Server(("127.0.0.1", 0), Handler)
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
