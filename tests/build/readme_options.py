"""The README's table of options comes from src/base/options.def. Without an argument: fails when they differ.
With --write: puts the table into README.md. Run in the top folder."""
import re
import sys

README, TABLE = "README.md", "src/base/options.def"
BEGIN, END = "<!-- options: made from src/base/options.def by tests/build/readme_options.py --write -->", "<!-- end of options -->"
ROW = re.compile(r'^GMT_OPTION\((\w+), (\w+), ("(?:[^"\\]|\\.)*"|\w+), "((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"\)', re.MULTILINE)


def cell(text):
    return text.replace("\\", "").replace("|", "\\|")


def table():
    with open(TABLE, encoding="utf-8") as source:
        text = source.read()
    rows = ROW.findall(text)
    if len(rows) != len(re.findall(r"^GMT_OPTION\(", text, re.MULTILINE)):
        sys.exit(f"{TABLE} has a row that this script does not understand")
    lines = ["| option | values | default | |", "|---|---|---|---|"]
    for _, name, default, values, sentence in rows:
        default = default.strip('"')
        lines.append(f"| `{name}` | {cell(values)} | {'`' + default + '`' if default else ''} | {cell(sentence)} |")
    return "\n".join(lines)


def main():
    with open(README, encoding="utf-8") as source:
        text = source.read()
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{README} has no section between '{BEGIN}' and '{END}'")
    wanted = f"{before}{BEGIN}\n{table()}\n{END}{after}"
    if sys.argv[1:] == ["--write"]:
        with open(README, "w", encoding="utf-8") as target:
            target.write(wanted)
        return 0
    if text != wanted:
        print(f"{README} and {TABLE} differ; run: python3 tests/build/readme_options.py --write")
        return 1
    return 0


sys.exit(main())
