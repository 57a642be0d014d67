# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of dtrace(8) for fish. dtrace itself says how a word may go on (-x complete). A program
# of that name which does not know the option completes nothing.

function __dtrace_lines
    set -lx PATH $PATH /usr/local/sbin /usr/sbin /sbin
    set -l program (command -s dtrace)
    or return
    $program $argv[2] -x complete=$argv[1] </dev/null 2>/dev/null
end

# How the argument of an option, which may be attached to it, goes on.
function __dtrace_ask
    set -l text (commandline -ct | string replace -r '^["\']' '')
    set text (string replace -r -- "^-[A-Za-z0-9]*$argv[1]" '' $text)
    # -p, for $target
    set -l target (commandline -opc | string join ' ' | string match -r -- ' -p ?[0-9]+')
    # Without a remark of its own, each word would have the description of the option.
    __dtrace_lines -$argv[1]"$text" (string replace -a ' ' '' -- $target) |
        string replace -r '^[^\t]*$' '$0'\t
end

function __dtrace_lists
    string match -qr -- '^-[A-Za-z]*l' (commandline -opc)
end

complete -c dtrace -e
complete -c dtrace -n __dtrace_lists -a '(__dtrace_ask n)'
for line in (__dtrace_lines -)
    set -l parts (string split -m 1 \t -- $line)
    set -l letter (string replace -r '^-+' '' -- $parts[1])
    switch $parts[1]
        case -P -m -f -n -x
            complete -c dtrace -s $letter -x -d $parts[2] -a "(__dtrace_ask $letter)"
        case -X
            complete -c dtrace -s $letter -x -d $parts[2] -a 'a c s t'
        case -p
            complete -c dtrace -s $letter -x -d $parts[2] -a '(__fish_complete_pids)'
        case -c -W
            complete -c dtrace -s $letter -x -d $parts[2] -a '(__fish_complete_command)'
        case -I -L
            complete -c dtrace -s $letter -x -d $parts[2] -a '(__fish_complete_directories)'
        case -s -o
            complete -c dtrace -s $letter -r -d $parts[2]
        case -b -D -U -i
            complete -c dtrace -s $letter -x -d $parts[2]
        case '--*'
            complete -c dtrace -l $letter -d $parts[2]
        case '-3*' '-6*'
            complete -c dtrace -o $letter -d $parts[2]
        case '-*'
            complete -c dtrace -s $letter -d $parts[2]
    end
end
