"""Reads what `tape export` writes with pandas and compares the forms with each other: `read-exports.py FOLDER`.

`test/unit/tape/import/tape-pandas.test.ts` writes the folder and runs this, with a Python of PANDAS_PYTHON that has `.ci/python.txt`.
"""

import decimal
import pathlib
import sys

import pandas as pd

out = pathlib.Path(sys.argv[1])
for path in sorted((out / "csv").glob("*.csv")):
    text = pd.read_csv(path, dtype=str)
    name = path.stem
    frames = {
        "parquet": pd.read_parquet(out / "parquet" / f"{name}.parquet"),
        "arrow": pd.read_feather(out / "arrow" / f"{name}.arrow"),
        "parquet-decimal": pd.read_parquet(out / "parquet-decimal" / f"{name}.parquet"),
        "arrow-decimal": pd.read_feather(out / "arrow-decimal" / f"{name}.arrow"),
    }
    for form, frame in frames.items():
        assert list(frame.columns) == list(text.columns), (name, form)
        assert len(frame) == len(text), (name, form)
        for column in text.columns:
            told, found = text[column], frame[column]
            if column == "ts":
                assert str(found.dtype.tz) == "UTC", (name, form)
                same = (found.astype("int64") // (10**6 if "ns" in str(found.dtype) else 1)) == told.astype("int64")
            elif column in ("symbol", "side"):
                same = found.astype(str) == told
            elif column == "tradeId":
                assert found.dtype == "int64", (name, form)
                same = found == told.astype("int64")
            elif form.endswith("decimal"):
                same = found == told.map(decimal.Decimal)
            else:
                assert found.dtype == "float64", (name, form)
                # The shortest text of the double is the recorded decimal.
                same = found.map(lambda x: decimal.Decimal(repr(float(x)))) == told.map(decimal.Decimal)
            assert same.all(), (name, form, column, told[~same].head(), found[~same].head())
    print(f"{name}: {len(text)} rows, {len(frames) + 1} forms agree")
