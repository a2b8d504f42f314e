"""The package for Debian and the tarball as files: what lintian says of them, what they hold, what they depend on."""

import pathlib
import re
import subprocess

from packages import DEB, TARBALL, VERSION
from roots import ROOT, run


def test_lintian_finds_neither_errors_nor_warnings():
    # Root may run it, too; the name of the suite is not that of an archive.
    found = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", DEB], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr


def test_every_override_of_lintian_has_its_reason():
    lines = (ROOT / "Packaging/debian/chirp-shortcodes.lintian-overrides").read_text().splitlines()
    for before, line in zip([""] + lines, lines):
        assert line.startswith("#") or before.startswith("#"), line


def test_the_package_holds_what_is_installed_from_source():
    names = {line.split()[5].removeprefix("./") for line in run("dpkg-deb", "--contents", DEB).splitlines()}
    stage = ROOT / ".build/install"
    for path in filter(pathlib.Path.is_file, stage.rglob("*")):
        # Debian's zsh looks elsewhere than others.
        name = f"usr/{path.relative_to(stage)}".replace("zsh/site-functions", "zsh/vendor-completions")
        assert name in names or f"{name}.gz" in names, name
    doc = "usr/share/doc/chirp-shortcodes"
    assert {"usr/share/chirp/chirp.wasm", "lib/systemd/system/chirp.service", "usr/share/applications/chirp-shortcodes.desktop",
            "usr/share/icons/hicolor/scalable/apps/chirp-shortcodes.svg", f"{doc}/copyright", f"{doc}/NOTICES.gz",
            f"{doc}/changelog.gz"} <= names


def test_a_service_that_runs_is_restarted_with_a_new_version_and_stopped_before_removal(tmp_path):
    run("dpkg-deb", "--control", DEB, tmp_path)
    assert "deb-systemd-invoke stop" in (tmp_path / "prerm").read_text()
    installed = (tmp_path / "postinst").read_text()
    # It is enabled again where it was.
    assert "deb-systemd-invoke $_dh_action" in installed and "restart" in installed and "was-enabled" in installed


def test_man_pages_tell_defaults_values_subcommands_and_the_environment():
    def page(name):
        return (ROOT / f".build/install/share/man/man1/{name}.1").read_text().replace("\\-", "-")

    assert "0 for any free port.\n(default: 8080)\n" in page("chirp.serve")
    assert "\n(values: text, json; default: text)\n" in page("chirp.serve")
    assert ".It Cm resolve\nPrint what a code stands for.\n" in page("chirp")
    assert ".It Ev CHIRP_REGISTRY\n" in page("chirp") and ".It Cm add\n" in page("chirp.users")


def test_the_package_is_of_the_version_that_chirp_says():
    assert run("dpkg-deb", "--field", DEB, "Version").strip() == VERSION
    assert run(ROOT / ".build/install/bin/chirp", "--version").strip() == VERSION


def test_every_library_that_chirp_is_linked_with_is_a_dependency():
    dependencies = run("dpkg-deb", "--field", DEB, "Depends")
    needed = re.findall(r"NEEDED *(\S+)", run("objdump", "-p", ROOT / ".build/install/bin/chirp"))
    assert "libfftw3f.so.3" in needed and not [name for name in needed if "swift" in name.lower() or "Foundation" in name]
    for name in needed:
        owners = re.findall(r"^(\S+?)(?::\S+)?: .*/lib/", run("dpkg-query", "--search", f"*/{name}"), re.M)
        assert any(re.search(rf"\b{re.escape(owner)}\b", dependencies) for owner in owners), (name, owners, dependencies)


def test_the_tarball_has_the_program_its_licences_and_the_libraries_it_needs():
    names = set(run("tar", "-tf", TARBALL).split())
    top = TARBALL.name.removesuffix(".tar.xz")
    for path in ["bin/chirp", "share/man/man1/chirp.1", "share/doc/chirp/LICENSE", "share/doc/chirp/NOTICES", "share/doc/chirp/README",
                 "share/chirp/chirp.wasm", "lib/systemd/system/chirp.service"]:
        assert f"{top}/{path}" in names, path
    assert all(name.startswith(f"{top}/") for name in names)
    readme = run("tar", "-xOf", TARBALL, f"{top}/share/doc/chirp/README")
    for name in re.findall(r"NEEDED *(lib\S+)", run("objdump", "-p", ROOT / ".build/install/bin/chirp")):
        assert name in readme
