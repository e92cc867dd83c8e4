"""Takes what the demo needs out of an unpacked vega-datasets 3.2.1 (`npm pack vega-datasets@3.2.1`) into raw/."""

from __future__ import annotations

import hashlib
from pathlib import Path

from recipe.files import csv_text, read_csv, write_bytes

#: sha256 of the files as published in vega-datasets 3.2.1.
PUBLISHED = {
    "airports.csv": "903c7169e6d558eefb95295fe2947ec8503135fbb855ea5c737cf4a90ea603ad",
    "birdstrikes.csv": "45777edf69984b37599e73dbfb34dbc976055243547407214261a4fcb9466462",
    "flights-airport.csv": "f9f66bc27adebf459e39fbdb6d71402c4355584f27ea1062606219d771ea4bcf",
    "penguins.json": "0facf769609f1205b82cbceb8238c36af3e6147a0ca0e163902cc6281ce3e917",
    "us-employment.csv": "0fa5366929bf738ac420509b84ed120155f740b0fa9c265ca309dad4057d1b1b",
    "weather.csv": "27219f1ca8dbd94c9b6f4b9f4f52ab2f1eb33dfdcf719cd9fc6481ed50b74549",
}
BIRDSTRIKE_YEARS = ("1998", "1999")


def take_raw(package: Path, raw: Path) -> None:
    """Copies four files as they are and cuts two: airports to those with a flight, bird strikes to two years."""
    data = package / "data"
    for name, digest in PUBLISHED.items():
        found = hashlib.sha256((data / name).read_bytes()).hexdigest()
        if found != digest:
            raise SystemExit(f"{data / name}: sha256 is {found}, not the published {digest}; is this vega-datasets 3.2.1?")
    for name in ("flights-airport.csv", "penguins.json", "us-employment.csv", "weather.csv"):
        write_bytes(raw / name, (data / name).read_bytes())

    flights = read_csv(data / "flights-airport.csv")
    with_flights = {row["origin"] for row in flights} | {row["destination"] for row in flights}
    cut(data / "airports.csv", raw / "airports.csv", lambda row: row["iata"] in with_flights)
    cut(data / "birdstrikes.csv", raw / "birdstrikes.csv", lambda row: row["Flight Date"][:4] in BIRDSTRIKE_YEARS)


def cut(source: Path, target: Path, keep) -> None:
    """The rows that `keep` takes, with all their columns, in their order."""
    rows = [row for row in read_csv(source) if keep(row)]
    write_bytes(target, csv_text(list(rows[0]), [list(row.values()) for row in rows]))
