"""Print one table of ratios from one run."""

from benchmarks import keys, packing, startup
from benchmarks.table import printed

if __name__ == "__main__":
    print(printed([*startup.lines(), *keys.lines(), *packing.lines()]))
