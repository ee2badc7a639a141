"""Writes two hours of one-minute bars with pandas, in every form that it packs Parquet and feather in: `write-bars.py FOLDER`.

`test/unit/tape/import/tape-pandas.test.ts` imports them.
"""

import pathlib
import sys

import numpy as np
import pandas as pd

out = pathlib.Path(sys.argv[1])
out.mkdir(parents=True, exist_ok=True)
minutes = np.arange(120)
bars = pd.DataFrame(
    {
        "date": pd.to_datetime(1_735_689_600_000 + minutes * 60_000, unit="ms", utc=True),
        "open": 93000.1 + minutes % 4,
        "high": 93010.5,
        "low": 92990.7,
        "close": 93001.2 + minutes % 4,
        "volume": np.where(minutes % 2 == 0, 1.5, 0.25),
    }
)
for pack in ("lz4", "zstd", "uncompressed"):
    bars.to_feather(out / f"BTCUSDT-{pack}.feather", compression=pack)
for pack in ("snappy", "gzip", "zstd", "lz4", "brotli", None):
    bars.to_parquet(out / f"BTCUSDT-{pack}.parquet", compression=pack)
bars.set_index("date").to_parquet(out / "BTCUSDT-index.parquet")
bars.to_csv(out / "BTCUSDT-plain.csv", index=False)
bars.to_csv(out / "BTCUSDT-numbered.csv")
bars.set_index("date").to_csv(out / "BTCUSDT-indexed.csv.gz")
