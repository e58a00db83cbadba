"""Makes the tables of docs/performance.md: python3 performance.py RUNS.jsonl PURE.jsonl

RUNS has what each engine measured of each workload, on one thread and on two, and PURE what winnow built with
the tag purego measured on one. Lines are those of bench --json, and of the harness of the other engines. An
answer that is wrong, and a workload that winnow did not answer, is an error.
"""
import collections, json, math, pathlib, statistics, sys

PAGE = pathlib.Path(__file__).parents[3] / "docs" / "performance.md"
BEGIN, END = "<!-- performance.py begins -->\n", "<!-- performance.py ends -->\n"


def medians(path):
    """(workload, threads) to engine to (milliseconds by the clock, by the processor)."""
    all_runs = collections.defaultdict(lambda: collections.defaultdict(lambda: ([], [])))
    for line in open(path):
        run = json.loads(line)
        if not run["ok"] and run["engine"] == "scan":
            raise SystemExit(f"{run['workload']}: {run['error']}")
        if run["ok"]:
            wall, cpu = all_runs[run["workload"], run["threads"]][run["engine"]]
            wall.extend(run["wall_ms"])
            cpu.extend(run["cpu_ms"])
    return {cell: {engine: tuple(map(statistics.median, times)) for engine, times in engines.items()} for cell, engines in all_runs.items()}


def best(engines, by):
    """The peer that takes least, and its time."""
    return min((times[by], name) for name, times in engines.items() if name != "scan")


def summed(name, ratios):
    """A line that sums up ratios by workload."""
    least = min(ratios, key=ratios.get)
    mean = math.exp(statistics.fmean(map(math.log, ratios.values())))
    return f"| {name} | {sum(r >= 1 for r in ratios.values())} of {len(ratios)} | {mean:.2f} | {statistics.median(ratios.values()):.2f} | {ratios[least]:.2f}, {least} |"


def tables(runs, pure):
    rows, ratios = [], collections.defaultdict(dict)
    for w, threads in runs:
        if threads != 1:
            continue
        cells = [w]
        for t in 1, 2:
            engines = runs[w, t]
            for by, kind in enumerate(("clock", "processor")):
                ratios[kind, t][w] = best(engines, by)[0] / engines["scan"][by]
            peer, name = best(engines, 0)
            cells += [f"{engines['scan'][0]:.3g}", f"{peer:.3g}", name, f"{ratios['clock', t][w]:.2f}"]
        ratios["pure"][w] = best(runs[w, 1], 1)[0] / pure[w, 1]["scan"][1]
        ratios["threads"][w] = runs[w, 1]["scan"][0] / runs[w, 2]["scan"][0]
        cells[5:5] = [f"{ratios['processor', 1][w]:.2f}", f"{ratios['pure'][w]:.2f}"]
        rows.append("| " + " | ".join(cells) + f" | {ratios['threads'][w]:.2f} |")
    return "\n".join([
        "| | ahead in | geometric mean | median | least |",
        "|---|--:|--:|--:|---|",
        summed("one thread, by the clock", ratios["clock", 1]),
        summed("one thread, by processor time", ratios["processor", 1]),
        summed("two threads, by the clock", ratios["clock", 2]),
        summed("two threads, by processor time", ratios["processor", 2]),
        summed("pure Go, one thread, by processor time", ratios["pure"]),
        "",
        "| workload | winnow | best peer | which | peer / winnow | by processor time | pure Go | 2 threads | best peer | which | peer / winnow | 1 over 2 threads |",
        "|---|--:|--:|---|--:|--:|--:|--:|--:|---|--:|--:|",
        *rows, ""])


def main(runs, pure):
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    PAGE.write_text(before + BEGIN + tables(medians(runs), medians(pure)) + END + rest.split(END)[1])


main(*sys.argv[1:])
