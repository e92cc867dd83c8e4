/**
 * What runs first where the agent is a program: inside its sandbox, in Python. It makes the model port a loopback address, starts the
 * program, waits for it, and hands what it wrote back over file descriptor 3: a line of JSON `{"kind": "ready"}`, then one
 * `{"kind": "end", "start_error", "code", "sizes": {name: bytes or null}}`, then the bytes of the files in that order. The files are read where
 * the program wrote them, so that no link leads out of the sandbox.
 */
export const AGENT_LAUNCHER = `
import json, os, socket, subprocess, sys, threading

def pump(source, target):
    try:
        while True:
            data = source.recv(65536)
            if not data:
                break
            target.sendall(data)
    except OSError:
        pass
    for end, how in ((source, socket.SHUT_RD), (target, socket.SHUT_WR)):
        try:
            end.shutdown(how)
        except OSError:
            pass

def serve(listener, path):
    while True:
        inner, _ = listener.accept()
        outer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            outer.connect(path)
        except OSError:
            inner.close()
            continue
        for pair in ((inner, outer), (outer, inner)):
            threading.Thread(target=pump, args=pair, daemon=True).start()

def read(name, most):
    try:
        with open(name, "rb") as file:
            data = file.read(most + 1)
    except OSError:
        return None
    return data if len(data) <= most else b""

def main():
    plan = json.loads(sys.argv[1])
    os.set_inheritable(3, False)
    out = os.fdopen(3, "wb")

    def tell(message):
        out.write(json.dumps(message).encode() + b"\\n")
        out.flush()

    if plan["socket"] is not None:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", plan["loopback"]))
        listener.listen(64)
        threading.Thread(target=serve, args=(listener, plan["socket"]), daemon=True).start()
    tell({"kind": "ready"})
    code, start_error = None, None
    try:
        code = subprocess.Popen(plan["argv"], cwd=plan["work"]).wait()
    except OSError as error:
        start_error = str(error)
    files = {name: read(os.path.join(plan["work"], name), most) for name, most in plan["files"].items()}
    sizes = {name: None if data is None else len(data) for name, data in files.items()}
    tell({"kind": "end", "start_error": start_error, "code": code, "sizes": sizes})
    for data in files.values():
        out.write(data or b"")
    out.flush()

main()
`;
