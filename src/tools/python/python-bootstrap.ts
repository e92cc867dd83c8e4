/**
 * What Python runs first. It reads the code from stdin, gives it `query`, `query_rows` and `CTX`, and tells the parent how it ended over
 * file descriptor 3: a line of JSON each, `{"kind": "ready" | "query" | "end", …}`; a query is answered by one line with `error`, or with
 * `columns`, `types` and the number of `pieces`, then so many lines of rows.
 */
export const PYTHON_BOOTSTRAP = `
import json, linecache, os, re, sys, threading, traceback, types

def main():
    name = "<python>"
    reader = os.fdopen(3, "rb", closefd=False)
    writer = os.fdopen(3, "wb", closefd=False)
    os.set_inheritable(3, False)
    dumps, loads, lock = json.dumps, json.loads, threading.Lock()

    def tell(message):
        writer.write(dumps(message).encode() + b"\\n")
        writer.flush()

    QueryError = type("QueryError", (RuntimeError,), {"__module__": "builtins"})

    def number_reader(kind):
        if re.fullmatch(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?", kind):
            return int
        if re.fullmatch(r"FLOAT|DOUBLE|DECIMAL\\(\\d+,\\d+\\)", kind):
            return float
        return (lambda text: text == "true") if kind == "BOOLEAN" else None

    def ask(sql):
        if not isinstance(sql, str):
            raise TypeError("give one SQL text")
        with lock:
            tell({"kind": "query", "sql": sql})
            head = loads(reader.readline())
            if "error" in head:
                raise QueryError(head["error"])
            rows = []
            for _ in range(head["pieces"]):
                rows.extend(loads(reader.readline()))
        for column, kind in enumerate(head["types"]):
            read = number_reader(kind)
            if read is not None:
                for row in rows:
                    if row[column] is not None:
                        row[column] = read(row[column])
        return head["columns"], rows

    def query(sql):
        import pandas
        columns, rows = ask(sql)
        return pandas.DataFrame(rows, columns=columns)

    def query_rows(sql):
        columns, rows = ask(sql)
        return [dict(zip(columns, row)) for row in rows]

    def describe(error):
        try:
            said = "".join(traceback.format_exception_only(type(error), error)).strip()
        except Exception:
            said = type(error).__name__
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == name]
        if isinstance(error, SyntaxError) and error.filename == name:
            return {"message": type(error).__name__ + ": " + str(error.msg), "line": error.lineno}, said
        shown = [f"  line {frame.lineno}, in {frame.name}: {frame.line}" for frame in frames[-20:]]
        last = said.splitlines()[-1] if said else type(error).__name__
        return {"message": last, "line": frames[-1].lineno if frames else None}, "\\n".join(["Traceback:", *shown, said])

    code = sys.stdin.buffer.read().decode("utf-8", "replace")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace", line_buffering=True)
    module = types.ModuleType("__main__")
    module.__dict__.update(query=query, query_rows=query_rows, CTX=sys.argv[1])
    sys.modules["__main__"] = module
    sys.argv = [""]
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    tell({"kind": "ready"})
    error = None
    try:
        exec(compile(code, name, "exec"), module.__dict__)
    except SystemExit as ended:
        if ended.code not in (None, 0):
            error = {"message": f"SystemExit: {ended.code}", "line": None}
    except BaseException as raised:
        error, shown = describe(raised)
        print(shown, file=sys.stderr)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass
    tell({"kind": "end", "error": error})
    sys.exit(0 if error is None else 1)

main()
`;
