"""What services over one PostgreSQL carry: capacity.py [--links N …] [--services N …] prints the figures of docs/SCALING.md.

The tables are filled with links, and wrk looks up random ones of them through each service at once. What a look-up costs is told in
processor time, of the services and of PostgreSQL, which does not depend on what else the machine does; requests a second are
those of this machine, shared with wrk. Registrations go through the service one after the other on several connections.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from postgres import Postgres
from service import Service

# Codes are spread over the 50 bits as random ones are: an odd factor makes each number another one.
FACTOR = 689_204_163_913_421
FILL = f"""
INSERT INTO chirp_link (code, identity, kind, subject, created, asked_by, token_digest)
SELECT ((n::numeric * {FACTOR}) % (1::bigint << 50))::bigint, sha256(int8send(n)), 'url', 'https://example.org/pages/' || n,
  1700000000000 + n, 'web', sha256(int8send(-n)) FROM generate_series({{first}}, {{last}}) AS n;
"""
LOOK_UP = """
local alphabet, factor = '0123456789abcdefghijklmnopqrstuv', {factor}ULL
math.randomseed(os.time())
request = function()
  local number, text = (math.random(1, {links}) * factor) % 1125899906842624ULL, ''
  for _ = 1, 10 do
    local digit = tonumber(number % 32)
    text = alphabet:sub(digit + 1, digit + 1) .. text
    number = number / 32
  end
  return wrk.format('GET', '/' .. text .. '.json')
end
"""
REGISTER = """
local number, thread = 0, math.floor(os.clock() * 1e9) + tonumber(tostring({}):match('0x(%x+)'), 16)
wrk.method, wrk.headers['Content-Type'] = 'POST', 'application/json'
request = function()
  number = number + 1
  return wrk.format(nil, '/registry/links', nil, '{"kind":"url","url":"https://example.org/' .. thread .. '/' .. number .. '"}')
end
"""


def cpu_seconds(processes):
    ticks = 0
    for process in processes:
        try:
            fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def children(parent):
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "stat").read_text().rpartition(")")[2].split()[1] == str(parent):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def load(script, services, seconds, connections, database):
    """Requests a second, processor time a request of the services and of PostgreSQL, and the worst 99th percentile."""
    own = [service.process.pid for service in services]
    before = [cpu_seconds(own), cpu_seconds(children(database))]
    runs = [subprocess.Popen(
        ["wrk", "--threads", "1", "--connections", str(connections), "--duration", f"{seconds}s", "--timeout", "60s", "--latency",
         "--script", script, service.url], stdout=subprocess.PIPE, text=True) for service in services]
    texts = [run.communicate()[0] for run in runs]
    after = [cpu_seconds(own), cpu_seconds(children(database))]
    assert not any("Non-2xx" in text or "Socket errors" in text for text in texts), texts
    count = sum(int(re.search(r"(\d+) requests in", text)[1]) for text in texts)
    units = {"us": 1e-3, "ms": 1, "s": 1e3}
    slowest = max(float(number) * units[unit] for text in texts for number, unit in re.findall(r"99%\s+([\d.]+)(us|ms|s)", text))
    return [count / seconds, *((two - one) / count * 1e6 for one, two in zip(before, after)), slowest]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--links", type=int, nargs="+", default=[100_000, 1_000_000, 4_000_000])
    parser.add_argument("--services", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=16)
    options = parser.parse_args()
    postgres = Postgres("shared_buffers = 1GB", "max_wal_size = 4GB")
    services = [Service(CHIRP_REGISTRY=postgres.url) for _ in range(max(options.services))]
    database = int((postgres.folder / "data/postmaster.pid").read_text().split()[0])
    scripts = pathlib.Path(tempfile.mkdtemp())
    filled = 0
    try:
        services[0].register(kind="text", text="makes the tables")
        for links in options.links:
            postgres.ask(FILL.format(first=filled + 1, last=links))
            postgres.ask("VACUUM ANALYZE chirp_link")
            filled = links
            size = {name: int(postgres.ask(f"SELECT {name}('chirp_link')")) for name in ("pg_table_size", "pg_indexes_size")}
            key = int(postgres.ask("SELECT pg_relation_size('chirp_link_pkey')"))
            print(f"{links} links: {size['pg_table_size'] / links:.0f} bytes a link in the table, "
                  f"{size['pg_indexes_size'] / links:.0f} in indexes, {key / links:.0f} of them in that of codes", flush=True)
            (scripts / "look-up.lua").write_text(LOOK_UP.format(factor=FACTOR, links=links))
            for count in options.services:
                rate, own, others, slowest = load(
                    scripts / "look-up.lua", services[:count], options.seconds, options.connections, database)
                print(f"{links} links, {count} services: {rate:.0f} look-ups/s; each {own:.0f} µs of the services, {others:.0f} µs of "
                      f"PostgreSQL; 99 % within {slowest:.1f} ms", flush=True)
        (scripts / "register.lua").write_text(REGISTER)
        written = int(postgres.ask("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn").split(".")[0])
        before = int(postgres.ask("SELECT count(*) FROM chirp_link"))
        rate, own, others, slowest = load(scripts / "register.lua", services[:1], options.seconds, options.connections, database)
        written = int(postgres.ask("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn").split(".")[0]) - written
        added = int(postgres.ask("SELECT count(*) FROM chirp_link")) - before
        print(f"{filled} links, 1 service: {rate:.0f} registrations/s; each {own:.0f} µs of the service, {others:.0f} µs of PostgreSQL, "
              f"{written / max(added, 1):.0f} bytes of log; 99 % within {slowest:.1f} ms")
    finally:
        for service in services:
            service.stop()
        postgres.stop()
        shutil.rmtree(scripts)


if __name__ == "__main__":
    main()
