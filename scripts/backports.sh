#!/usr/bin/env bash
# Prints an entry for the backports of a Debian release, made of the entry that a machine has for the release itself: from
# the same place, with the same options (such as the keys that sign it). Prints nothing where there is none to make it of.
#
#   scripts/backports.sh /etc/apt bookworm
#
# An entry that begins with `deb ` belongs into a file `*.list`, another one into a file `*.sources`.
set -euo pipefail
folder=$1
release=$2

# Files with one entry a line: deb [ options ] place suite component...
one_line='
$1 == "deb" {
    sub(/#.*/, "")
    sub(/^[ \t]*deb[ \t]+/, "")
    options = ""
    if (match($0, /^\[[^]]*\][ \t]*/)) {
        options = substr($0, 1, RLENGTH)
        $0 = substr($0, RLENGTH + 1)
    }
    if ($2 != release || $1 ~ /^cdrom:/) next
    for (component = 3; component <= NF; component++) {
        if ($component == "main") {
            print "deb " options $1 " " release "-backports main"
            exit
        }
    }
}'

# Files with a paragraph of fields for each entry. What is not replaced stays as it is.
paragraphs='
function has(field, word) { return index(" " value[field] " ", " " word " ") > 0 }
function end_of_entry() {
    if (has("types", "deb") && has("suites", release) && has("components", "main") \
        && tolower(value["enabled"]) !~ /^ *(no|false|off|0|without|disable) *$/ && value["uris"] !~ /cdrom:/) {
        found = 1
        printf "Types: deb\nSuites: %s-backports\nComponents: main\n%s", release, others
        exit
    }
    split("", value)
    others = ""
}
/^#/ { next }
/^[ \t]*$/ { end_of_entry(); next }
{
    line = $0
    # A line that begins with a space continues the field.
    if (line !~ /^[ \t]/) {
        field = tolower(line)
        sub(/[ \t]*:.*/, "", field)
        sub(/^[^:]*:/, "")
    }
    $1 = $1
    value[field] = value[field] " " $0
    if (field !~ /^(types|suites|components|enabled)$/) others = others line "\n"
}
END { if (!found) end_of_entry() }'

first_entry() {
    local program=$1 file entry
    shift
    for file in "$@"; do
        [ -f "$file" ] || continue
        entry=$(awk -v release="$release" "$program" "$file")
        if [ -n "$entry" ]; then
            printf '%s\n' "$entry"
            return
        fi
    done
    return 1
}

first_entry "$one_line" "$folder/sources.list" "$folder"/sources.list.d/*.list ||
    first_entry "$paragraphs" "$folder"/sources.list.d/*.sources || true
