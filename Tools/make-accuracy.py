#!/usr/bin/env python3
"""Measures everything that docs/ACCURACY.md tells, and writes it, pictures and results included.

    make accuracy           builds chirp, installs what the peers need, and runs this

Every figure stands beside the command that made it. The results as such are kept in docs/accuracy, so that
`chirp evaluate … --compare docs/accuracy/channels.json` says whether a later receiver differs by more than chance.
"""

import argparse
import datetime
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The first characters of the channels' names, and the title of the table that they begin; None where they continue it.
TITLES = [
    ("white", "White noise"), ("row-", None), ("music-30", "Crowds"), ("music", "Music, speech and rooms"), ("speech", None),
    ("room", None), ("speed", "Speed and tuning"), ("pitch", None), ("sender", "Senders"), ("codec", "Codecs"),
    ("rate", "Sample rates and bands"), ("lowpass", None), ("telephone-", "Other formats, by their names"), ("ultrasonic-", None),
    ("fast-", None), ("telephone", None),
    ("clipping", "Levels and disturbances"), ("quiet", None), ("offset", None), ("hum", None), ("whistle", None),
    ("copies-", "Copies and channels combined"), ("channels-", None), ("microphones-", None), ("silenced", "Damage"), ("wrong", None),
    ("cut", None), ("overlap", "Crowds"), ("back", None), ("two-loudspeakers", None),
]


def title_of(name):
    """The title of the table that a channel begins; None where it continues the one before."""
    for prefix, title in TITLES:
        if name.startswith(prefix):
            return title
    sys.exit(f"{name}: no title for this channel; add the beginning of its name to TITLES in Tools/make-accuracy.py")


class Maker:
    def __init__(self, arguments):
        self.arguments = arguments
        self.docs = pathlib.Path(arguments.docs).resolve()
        self.results = self.docs / "accuracy"
        self.results.mkdir(parents=True, exist_ok=True)
        self.lines = []

    def say(self, *lines):
        self.lines += lines

    def command(self, *words):
        """What is printed, and what is run from the project's folder: they differ in the path of the program alone."""
        print("$", shlex.join(words), file=sys.stderr, flush=True)
        program = [os.path.abspath(self.arguments.chirp)] if words[0] == "chirp" else [words[0]]
        expanded = [os.path.expanduser(word) for word in words[1:]]
        result = subprocess.run(program + expanded, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        if result.returncode != 0:
            sys.exit(f"{shlex.join(words)}: ended with {result.returncode}")
        # A tilde is for the shell.
        self.say("```", "$ " + " ".join(w if w.startswith("~") else shlex.quote(w) for w in words), "```", "")
        return result.stdout

    def evaluate(self, name, *words):
        output = self.command("chirp", "evaluate", *words, "--seed", str(self.arguments.seed), "--json")
        record = json.loads(output)
        # The path of the program and the day are in the document.
        record["command"] = "chirp evaluate " + shlex.join(words)
        with open(self.results / f"{name}.json", "w") as file:
            json.dump(record, file, sort_keys=True, separators=(",", ":"))
            file.write("\n")
        return record

    def relative(self, name):
        return os.path.relpath(self.docs / name, ROOT)


def share(proportion):
    return proportion["successes"] / max(proportion["trials"], 1)


def interval(proportion):
    """Wilson's interval of 95 %."""
    z, n, p = 1.959963984540054, proportion["trials"], share(proportion)
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5 / (1 + z * z / n)
    return max(0, centre - half), min(1, centre + half)


def wilson(proportion):
    return "{:.3f}–{:.3f}".format(*interval(proportion))


def is_near(row):
    """Whether chance may decide whether a row that lost a chirp reaches its figure."""
    proportion, target = row["recovered"], row.get("target")
    if target is None or proportion["successes"] == proportion["trials"]:
        return False
    low, high = interval(proportion)
    return low < target < high


def delay(row):
    prompt = row.get("promptness")
    if prompt is None:
        return ""
    late = f", {prompt['late']} late ✗" if prompt["late"] else ""
    return f"{prompt['medianMilliseconds']:.0f}, ≤ {prompt['longestMilliseconds']:.0f}{late}"


def sweep(maker):
    maker.say("## White noise, beside the bounds", "")
    record = maker.evaluate(
        "white-noise", "--snr", "-28:-22:0.5", "--trials", str(maker.arguments.trials), "--bounds-frames",
        str(maker.arguments.frames), "--plot", maker.relative("recovery.svg"),
    )
    maker.say(
        "![Chirps recovered against the signal-to-noise ratio, beside the bounds](recovery.svg)", "",
        "The receiver does not know when a chirp arrives, the bounds do. The maximum-likelihood bound counts the frames in",
        "which no other codeword that the search met was likelier than the one sent.", "",
        "| SNR, dB | recovered | 95 % interval | wrong | hard decisions | GMD | ordered statistics | maximum-likelihood bound |",
        "|---|---|---|---|---|---|---|---|",
    )
    bounds = {row["snrDecibels"]: row for row in record["bounds"]}
    for row in sorted(record["rows"], key=lambda row: -row["snrDecibels"]):
        bound = bounds[row["snrDecibels"]]
        columns = [bound[name] for name in ("hard", "generalisedMinimumDistance", "orderedStatistics", "maximumLikelihood")]
        maker.say(
            f"| −{-row['snrDecibels']:.1f} | {share(row['recovered']):.3f} | {wilson(row['recovered'])} | {row['wrong']} | "
            + " | ".join(f"{share(column):.3f}" for column in columns) + " |"
        )
    maker.say("")
    return record


def channels(maker):
    maker.say("## Channels of every kind", "")
    # Before the measurement, which takes minutes.
    listed = subprocess.run([os.path.abspath(maker.arguments.chirp), "evaluate", "--list-rows"], stdout=subprocess.PIPE, text=True, check=True)
    for name in listed.stdout.split():
        title_of(name)
    recordings = []
    if maker.arguments.recordings:
        maker.say("The recordings are fetched by `Tools/fetch-noise.sh`: orchestra, rock, electronic, and read speech.", "")
        recordings = ["--recordings", maker.arguments.recordings]
    record = maker.evaluate("channels", "--rows", "all", "--trials", str(maker.arguments.trials), *recordings)
    near = [row["name"] for row in record["rows"] if is_near(row)]
    if near:
        maker.say("Rows whose figure lies within their interval have more chirps, and stand so in the tables:", "")
        longer = maker.evaluate(
            "channels-near", "--rows", ",".join(near), "--trials", str(maker.arguments.near_trials), *recordings)
        longer = {row["name"]: row for row in longer["rows"]}
        record["rows"] = [longer.get(row["name"], row) for row in record["rows"]]
    told = [row for row in record["rows"] if row.get("promptness")]
    recovered = sum(row["recovered"]["successes"] for row in told)
    late = sum(row["promptness"]["late"] for row in told)
    maker.say(
        "“Latency” is how much sound the receiver was given, in blocks of 5 ms, between the end of a chirp's last tone",
        "(of its direct sound in rooms) and the code: the median, and the most. Of the "
        f"{recovered:,} recovered {late or 'none'} came", "later than 100 ms after it.", "")
    begun = None
    for row in record["rows"]:
        title = title_of(row["name"])
        if title and title != begun:
            begun = title
            maker.say("", f"**{title}**", "", "| channel | recovered | 95 % interval | target | wrong | latency, ms | CPU ms a trial |",
                      "|---|---|---|---|---|---|---|")
        proportion = row["recovered"]
        target = "" if row.get("target") is None else f"{row['target']:.2f}"
        mark = " ✗" if target and share(proportion) < row["target"] else ""
        maker.say(
            f"| {row['name']} | {proportion['successes']}/{proportion['trials']} = {share(proportion):.3f} | "
            f"{wilson(proportion)} | {target}{mark} | {row['wrong']} | {delay(row)} | {row['computingMillisecondsPerTrial']:.1f} |"
        )
    maker.say("")
    return record


def honesty(maker, records):
    maker.say("## Whether confidence holds", "")
    rows = [row for record in records for row in record["rows"]]
    wrong = sum(row["wrong"] for row in rows)
    reports = sum(bin["reports"] for row in rows for bin in row["calibration"])
    maker.say(f"Of {reports:,} codes reported in the two tables above, {wrong} were wrong. Reports by confidence:", "",
              "| confidence | reports | right | share |", "|---|---|---|---|")
    bins = {}
    for row in rows:
        for bin in row["calibration"]:
            total = bins.setdefault((bin["from"], bin["upTo"]), [0, 0])
            total[0] += bin["reports"]
            total[1] += bin["right"]
    for (low, high), (reports, right) in sorted(bins.items()):
        maker.say(f"| {low:g}–{high:g} | {reports:,} | {right:,} | {right / reports:.4f} |")
    maker.say("")


def false_alarms(maker):
    maker.say("## False alarms", "",
              "Codes heard where none was sent: noise of several colours, machines' tones, melodies on the chirp's own",
              "pitches, and the recordings at other speeds, backwards, and on top of each other.", "")
    count_false_alarms(maker, "false-alarms", f"{maker.arguments.hours:g}")
    if maker.arguments.format_hours > 0:
        maker.say("The same with all four formats listened for, and as many hours of each kind of sound:", "")
        count_false_alarms(maker, "false-alarms-all-formats", f"{5 * maker.arguments.format_hours:g}", "--even", "--format", "all")
    maker.say("With copies combined, and two fifths of the hours of what repeats every 1.8 to 15 seconds over noise: recordings, melodies,",
              "machines, metronomes and alarms:", "")
    count_false_alarms(maker, "false-alarms-combined", f"{maker.arguments.hours:g}", "--combine", "on")


def count_false_alarms(maker, name, hours, *options):
    words = ["chirp", "evaluate", "--false-alarms", hours, *options]
    if maker.arguments.recordings:
        words += ["--recordings", maker.arguments.recordings]
    output = maker.command(*words, "--seed", str(maker.arguments.seed), "--json")
    (maker.results / f"{name}.json").write_text(output)
    maker.say("| background | hours | codes | rate below, with 95 % | times real time, all cores | receiver alone, one core |",
              "|---|---|---|---|---|---|")
    for line in output.splitlines():
        row = json.loads(line)
        maker.say(
            f"| {row['background']} | {row['hours']:.1f} | {row['codes']} | one in {1 / row['upperLimitPerHour']:.0f} h | "
            f"{row['timesRealTime']:,.0f} | {row['receiverTimesRealTime']:,.0f} |"
        )
    maker.say("")


def peers(maker):
    maker.say("## Beside ggwave", "")
    path = maker.results / "peers.json"
    words = ["Tools/bench-peers.py", "--chirp", maker.arguments.chirp, "--scan", maker.arguments.scan, "--minutes", str(maker.arguments.minutes),
             "--trials", str(maker.arguments.peer_trials), "--seed", str(maker.arguments.seed), "--json", str(path)]
    if maker.arguments.recordings:
        words += ["--recordings", maker.arguments.recordings]
    print("$", shlex.join(words), file=sys.stderr, flush=True)
    subprocess.run([sys.executable] + words, cwd=ROOT, check=True, stdout=sys.stderr)
    results = json.loads(path.read_text())
    maker.say("```", "$ make bench-peers", "```", "",
              "The same audio, one run, one thread of each, ggwave from PyPI at its own sample rate.", "",
              "| idle scan of white noise | seconds of audio per CPU second |", "|---|---|",
              f"| chirp's receiver, samples in memory | {results['speed']['chirp']:,.0f} |",
              f"| ggwave's receiver, samples in memory | {results['speed']['ggwave']:,.0f} |",
              f"| `chirp decode`, start and file included | {results['speed']['chirp_decode']:,.0f} |", "",
              f"Peak memory of `chirp decode` meanwhile: {results['speed']['chirp_decode_memory_mb']:.0f} MB.", "",
              "![Messages recovered by chirp and ggwave](peers.svg)", "")
    maker.say("| what is heard | measured | to reach | |", "|---|---|---|---|")
    for row in results["table"]:
        maker.say(f"| {row['name']} | {' '.join(row['text'].split())} | {row['target'] or ''} | {'' if row['reached'] else '✗'} |")
    maker.say("")
    names = list(dict.fromkeys(row["receiver"] for row in results["accuracy"]))
    maker.say("| SNR, dB | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|")
    for ratio in dict.fromkeys(row["ratio"] for row in results["accuracy"]):
        rows = {row["receiver"]: row for row in results["accuracy"] if row["ratio"] == ratio}
        maker.say(f"| {ratio:g} | " + " | ".join(
            f"{rows[name]['recovered']}/{rows[name]['trials']}" + (f", {rows[name]['wrong']} wrong" if rows[name]["wrong"] else "")
            for name in names) + " |")
    lengths = {row["receiver"]: row["message_seconds"] for row in results["accuracy"]}
    maker.say("", "Ten characters take " + ", ".join(f"{seconds:.2f} s with {name}" for name, seconds in lengths.items()) + ".", "")
    draw_peers(maker, names, results["accuracy"])


def formats(maker):
    """Chirp's formats and ggwave's protocols of the same kind, side by side."""
    maker.say("## Formats beside ggwave's protocols of the same kind", "")
    path = maker.results / "formats.json"
    words = ["Tools/bench-formats.py", "--chirp", maker.arguments.chirp, "--trials", str(maker.arguments.format_trials),
             "--seed", str(maker.arguments.seed), "--json", str(path)]
    print("$", shlex.join(words), file=sys.stderr, flush=True)
    subprocess.run([sys.executable] + words, cwd=ROOT, check=True, stdout=sys.stderr)
    rows = json.loads(path.read_text())["rows"]
    maker.say("```", "$ make bench-formats", "```", "",
              f"{maker.arguments.format_trials} messages of ten characters a row, at the same power while they sound, in the same white noise. Chirp",
              "listens for all of its formats, ggwave for all of its protocols; its mono-tone ones are told the length of the message.",
              "“Wrong” counts the messages of all columns that are not the one sent.", "")
    ratios = list(dict.fromkeys(row["ratio"] for row in rows))
    maker.say("| kind | sender | length | " + " | ".join(f"{ratio:g} dB".replace("-", "−") for ratio in ratios) + " | wrong |",
              "|---" * (len(ratios) + 4) + "|")
    for kind, sender in dict.fromkeys((row["kind"], row["sender"]) for row in rows):
        own = {row["ratio"]: row for row in rows if row["sender"] == sender}
        counts = " | ".join(str(own[ratio]["recovered"]) for ratio in ratios)
        length = next(iter(own.values()))["seconds"]
        maker.say(f"| {kind} | {sender} | {length:.2f} s | {counts} | {sum(row['wrong'] for row in own.values())} |")
    maker.say("")


SUMS = [
    # How many copies and channels are combined, ratios, where half ought to be recovered.
    (2, 1, "-29:-26.5:0.5", -28.4), (3, 1, "-30:-27.5:0.5", -29.4), (4, 1, "-31:-28:0.5", -30.2), (8, 1, "-33:-29.5:0.5", -31.8),
    (1, 2, "-29:-27:0.5", -28.4), (1, 4, "-31:-28.5:0.5", -30.2), (2, 2, "-31:-28.5:0.5", -30.2),
]


def half(record):
    """The ratio at which half of the chirps are recovered, between those measured; None where it is not among them."""
    rows = sorted(record["rows"], key=lambda row: row["snrDecibels"])
    for low, high in zip(rows, rows[1:]):
        if share(low["recovered"]) < 0.5 <= share(high["recovered"]):
            part = (0.5 - share(low["recovered"])) / (share(high["recovered"]) - share(low["recovered"]))
            return low["snrDecibels"] + part * (high["snrDecibels"] - low["snrDecibels"])
    return None


def minus(ratio):
    return "" if ratio is None else f"{ratio:.1f}".replace("-", "−")


def sums(maker, single):
    maker.say("## Copies and channels combined", "")
    rows = [(1, 1, half(single), -27.5, None, 0, 0)]
    for copies, channels, ratios, target in SUMS:
        given = [(name, count) for name, count in (("repeats", copies), ("channels", channels)) if count > 1]
        options = [word for name, count in given for word in (f"--{name}", str(count))]
        record = maker.evaluate(
            "-".join(f"{name}-{count}" for name, count in given), *options, f"--snr={ratios}", "--trials", str(maker.arguments.sum_trials),
            "--bounds")
        wrong = sum(row["wrong"] for row in record["rows"])
        reports = sum(row["recovered"]["successes"] for row in record["rows"]) + wrong
        rows.append((copies, channels, half(record), record["combiningBound"], target, wrong, reports))
    maker.say("![SNR at which half of the chirps are recovered, against the number of copies or channels combined](copies.svg)", "",
              "SNR at which half of the chirps are recovered, in white noise: copies 1.8 to 15 s apart, with up to 10 ms of jitter; channels with noise",
              "of their own that hear the chirp up to 30 ms late. The bound is that of mutual information, with all times known",
              "(`CombiningBound`). “Wrong” are codes that were not sent, of all that were reported at the ratios of the command.", "",
              "| combined | half are recovered at, dB | to reach | mutual-information bound | wrong |", "|---|---|---|---|---|")
    for copies, channels, level, bound, target, wrong, reports in rows:
        parts = [f"{count} {kind}" for count, kind in ((copies, "copies"), (channels, "channels")) if count > 1]
        name = " on ".join(parts) or "one chirp"
        mark = " ✗" if target is not None and (level is None or level > target) else ""
        maker.say(f"| {name} | {minus(level)} | {minus(target)}{mark} | {minus(bound)} | {f'{wrong} of {reports:,}' if reports else ''} |")
    maker.say("")
    draw_sums(maker, rows)


def draw_sums(maker, rows):
    def block(name, points):
        return f"${name} << END\n" + "\n".join(f"{count} {level}" for count, level in sorted(points)) + "\nEND"

    known = [row for row in rows if row[2] is not None]
    copies = [(row[0], row[2]) for row in known if row[1] == 1]
    channels = [(row[1], row[2]) for row in known if row[0] == 1]
    bounds = {(row[0] * row[1], row[3]) for row in rows}
    script = "\n".join([block("copies", copies), block("channels", channels), block("bounds", bounds)]) + f"""
set encoding utf8
set terminal svg size 900,460 dynamic background '#ffffff' font 'DejaVu Sans,13'
set output '{maker.docs / "copies.svg"}'
set title 'SNR at which half of the chirps are recovered'
set xlabel 'copies or channels combined'
set ylabel 'signal-to-noise ratio over the whole band at 44.1 kHz, dB'
set logscale x 2
set xrange [0.9:9]
set xtics (1, 2, 3, 4, 8)
set yrange [-34:-26]
set grid lc rgb '#dddddd' lt 1 lw 0.8
set border lc rgb '#555555'
set key top right opaque box lc rgb '#cccccc'
plot $copies using 1:2 with linespoints lw 2 pt 7 ps 0.8 lc rgb '#c0392b' title 'copies', \\
  $channels using 1:2 with linespoints lw 2 pt 5 ps 0.8 lc rgb '#2471a3' title 'channels', \\
  $bounds using 1:2 with lines lw 2 dt 2 lc rgb '#555555' title 'bound of mutual information'
"""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def draw_peers(maker, names, rows):
    colours = {"chirp": "#c0392b"} | dict(zip(names[1:], ["#2471a3", "#17a589", "#b7950b"]))
    blocks, plots = [], []
    for index, name in enumerate(names):
        points = [
            f"{row['ratio']} {100 * row['recovered'] / row['trials']} {100 * row['low']} {100 * row['high']}"
            for row in sorted(rows, key=lambda row: row["ratio"]) if row["receiver"] == name
        ]
        blocks.append(f"$p{index} << END\n" + "\n".join(points) + "\nEND")
        plots.append(f"$p{index} using 1:2:3:4 with yerrorlines lw 2 pt 7 ps 0.7 lc rgb '{colours[name]}' title '{name}'")
    script = "\n".join(blocks) + f"""
set encoding utf8
set terminal svg size 900,460 dynamic background '#ffffff' font 'DejaVu Sans,13'
set output '{maker.docs / "peers.svg"}'
set title 'Ten characters recovered from white noise, 95 % intervals'
set xlabel 'signal-to-noise ratio over the whole band at 44.1 kHz, dB'
set ylabel 'recovered, %'
set yrange [0:104]
set offsets graph 0.02, graph 0.02, 0, 0
set grid lc rgb '#dddddd' lt 1 lw 0.8
set border lc rgb '#555555'
set key center right opaque box lc rgb '#cccccc'
plot {", ".join(plots)}
"""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chirp", default=".build/release/chirp", help="the program")
    parser.add_argument("--scan", default=".build/release/scan-benchmark", help="the program that times the receiver alone")
    parser.add_argument("--docs", default=str(ROOT / "docs"))
    parser.add_argument("--trials", type=int, default=200, help="chirps for each row")
    parser.add_argument("--near-trials", type=int, default=1_000, help="chirps for each row whose figure chance may decide")
    parser.add_argument("--sum-trials", type=int, default=500, help="chirps for each ratio where copies and channels are combined")
    parser.add_argument("--frames", type=int, default=2_000, help="frames for each bound")
    parser.add_argument("--hours", type=float, default=100, help="of sound without a chirp")
    parser.add_argument("--format-hours", type=float, default=25, help="of each kind of sound without a chirp, with all formats listened for")
    parser.add_argument("--minutes", type=int, default=60, help="of noise for the speed test")
    parser.add_argument("--peer-trials", type=int, default=50, help="messages for each row beside ggwave; 0 leaves it out")
    parser.add_argument("--format-trials", type=int, default=200, help="messages for each row of the formats; 0 leaves them out")
    parser.add_argument("--recordings", help="a folder of music and speech; Tools/fetch-noise.sh makes one")
    parser.add_argument("--seed", type=int, default=1)
    maker = Maker(parser.parse_args())
    body = []
    white = sweep(maker)
    table = channels(maker)
    honesty(maker, [white, table])
    sums(maker, white)
    if maker.arguments.hours > 0:
        false_alarms(maker)
    if maker.arguments.peer_trials > 0:
        peers(maker)
    if maker.arguments.format_trials > 0:
        formats(maker)
    body = maker.lines
    date = datetime.date.today().isoformat()
    head = [
        "# How much comes back", "",
        f"Measured on {date} with seed {maker.arguments.seed} on {white['machine']}. `make accuracy` measures it all again and",
        "writes this document; the command above each table makes that table alone. Random codes, arrival time unknown,",
        "ratios in decibels over the whole band of a 44.1 kHz recording, Wilson's 95 % intervals. A channel is described",
        "by its name in `Sources/ChirpLab/Trials/StandardScenarios.swift`; rows that are about something else than noise",
        "have noise 10 dB below the chirp. The same seed gives the same trials, so `--compare` with the files in",
        "`docs/accuracy` tells a difference of two receivers from chance.", "",
    ]
    (maker.docs / "ACCURACY.md").write_text("\n".join(head + body).rstrip() + "\n")
    print(maker.docs / "ACCURACY.md")


if __name__ == "__main__":
    main()
