"""A small data agent for daw-eval, in Python's standard library alone.

It loads the task's CSV files into SQLite, shows the model the tables and the question, runs the SQL that comes back, and hands over the
result. What it is told comes as JSON on stdin; the model is an OpenAI-compatible endpoint at MODEL_API_URL.
"""

import csv
import json
import os
import pathlib
import re
import sqlite3
import sys
import urllib.error
import urllib.request

MOST_TURNS = 6
SHOWN_ROWS = 5


def main():
    task = json.load(sys.stdin)
    database = sqlite3.connect(":memory:")
    schema = load_tables(database, pathlib.Path(task["context_dir"]))
    knowledge = pathlib.Path(task["context_dir"], "knowledge.md")
    messages = [
        {"role": "system", "content": "Answer with one SQLite SELECT in a ```sql block. The result of your last query is the answer."},
        {"role": "user", "content": "\n\n".join([task["question"], schema, knowledge.read_text("utf-8") if knowledge.exists() else ""])},
    ]
    trace = {"task_id": task["task_id"], "steps": [], "answer": None, "succeeded": False}
    for _ in range(MOST_TURNS):
        reply = ask(messages)
        messages.append({"role": "assistant", "content": reply})
        sql = sql_in(reply)
        try:
            cursor = database.execute(sql)
            columns, rows = [column[0] for column in cursor.description], cursor.fetchall()
            observation = {"ok": True, "content": {"columns": columns, "rows": rows[:SHOWN_ROWS], "row_count": len(rows)}}
        except (sqlite3.Error, TypeError) as error:
            columns, observation = None, {"ok": False, "error": str(error)}
        step = {"thought": reply, "action": "sql", "action_input": {"sql": sql}, "observation": observation, "ok": observation["ok"]}
        trace["steps"].append(step)
        if columns is not None:
            hand_over(task, trace, columns, rows)
            return
        messages.append({"role": "user", "content": "That failed: " + observation["error"]})
    write_trace(task, trace)


def load_tables(database, folder):
    """Every CSV below the folder as a table of text; returns what the model is to know of them."""
    lines = []
    for file in sorted(folder.rglob("*.csv")):
        with open(file, newline="", encoding="utf-8-sig", errors="replace") as handle:
            header, *rows = list(csv.reader(handle))
        table = re.sub(r"\W", "_", file.stem)
        columns = ", ".join('"' + name.replace('"', '""') + '"' for name in header)
        database.execute(f'CREATE TABLE "{table}" ({columns})')
        marks = ", ".join("?" for _ in header)
        database.executemany(f'INSERT INTO "{table}" VALUES ({marks})', [row for row in rows if len(row) == len(header)])
        lines.append(f"table {table} ({columns}), {len(rows)} rows, for example {rows[:2]}")
    return "\n".join(lines)


def ask(messages):
    """One answer of the model. daw-eval retries for us; a refusal ends this program, and the trial is then an error, not a wrong answer."""
    body = json.dumps({"model": os.environ["MODEL_NAME"], "messages": messages}).encode()
    headers = {"content-type": "application/json", "authorization": "Bearer " + os.environ["MODEL_API_KEY"]}
    request = urllib.request.Request(os.environ["MODEL_API_URL"] + "/chat/completions", body, headers)
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response)["choices"][0]["message"]["content"] or ""
    except urllib.error.HTTPError as error:
        sys.exit("the model said no: " + error.read().decode("utf-8", "replace"))


def sql_in(reply):
    block = re.search(r"```sql\s*(.*?)```", reply, re.DOTALL)
    return (block.group(1) if block else reply).strip()


def hand_over(task, trace, columns, rows):
    with open(task["prediction"], "w", newline="", encoding="utf-8") as handle:
        csv.writer(handle, lineterminator="\n").writerows([columns, *rows])
    pathlib.Path(task["conclusion"]).write_text(f"{len(rows)} rows, by one query.\n", encoding="utf-8")
    trace.update(answer={"columns": columns, "rows": rows[:SHOWN_ROWS]}, succeeded=True)
    write_trace(task, trace)


def write_trace(task, trace):
    pathlib.Path(task["trace"]).write_text(json.dumps(trace, ensure_ascii=False), encoding="utf-8")


main()
