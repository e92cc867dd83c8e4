"""Reading and writing of the demo's files. What is written depends on the content alone, so that a rebuild can be compared."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Iterable, Sequence

Row = Sequence[Any]


def read_csv(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def read_json(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def query(file: Path, sql: str) -> list[sqlite3.Row]:
    """Rows of a SQLite file, which is opened so that nothing can be written, not even a journal beside it."""
    with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        return connection.execute(sql).fetchall()


def dump(file: Path) -> str:
    """The content of a SQLite file as SQL: the bytes of the file itself differ from one SQLite version to the next."""
    with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        return "\n".join(connection.iterdump())


def csv_text(columns: Sequence[str], rows: Iterable[Row], line_end: str = "\n") -> bytes:
    """RFC 4180. Nothing (None) is an empty cell, written `""` where it is the only cell of its line."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator=line_end)
    writer.writerow(columns)
    writer.writerows(rows)
    return stream.getvalue().encode("utf-8")


def records_text(table: str, records: Sequence[dict[str, Any]]) -> bytes:
    """`{"table": …, "records": […]}`, one record a line."""
    lines = ",\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    return f'{{"table": {json.dumps(table)}, "records": [\n{lines}\n]}}\n'.encode("utf-8")


def write_bytes(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def write_database(file: Path, tables: Sequence[tuple[str, Sequence[Row]]]) -> None:
    """Writes a new SQLite file from pairs of a CREATE TABLE statement and the rows that go into that table."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as connection:
        for statement, rows in tables:
            connection.execute(statement)
            name = statement.split("(")[0].split()[-1]
            marks = ", ".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)
        connection.commit()
        connection.execute("VACUUM")
