" SPDX-License-Identifier: GPL-2.0-or-later
" The language D of dtrace(8). tests/editors compares the words with those that dtrace has.
if exists("b:current_syntax")
  finish
endif

syn case match

" Keywords of D (grammar/keyword.c), and what is reserved for C's.
syn keyword dtStatement probe provider translator
syn keyword dtConditional if else
syn keyword dtStructure struct union enum typedef
syn keyword dtStorage self this auto const extern inline register restrict static volatile userland
syn keyword dtType _Bool __int128 char double float int long short signed string unsigned void
syn keyword dtOperator sizeof stringof offsetof container_of xlate
syn keyword dtReserved break case continue counter default do for goto import switch while

" Definitions (libdt/builtin).
syn keyword dtVariable arg0 arg1 arg2 arg3 arg4 arg5 arg6 arg7 arg8 arg9 args caller cgroup
syn keyword dtVariable container cpu curthread cwd epid errno execargs execname gid id ipl lgrp pid
syn keyword dtVariable ppid probefunc probemod probename probeprov regs retval root stackdepth tid
syn keyword dtVariable timestamp ucaller uid uregs ustackdepth vtimestamp walltimestamp
syn keyword dtFunction alloca basename bcopy cgroup_path cgroupid cleanpath copyin copyinstr
syn keyword dtFunction copyinto copyout copyoutstr d_path dirname exists func getf getmajor
syn keyword dtFunction getminor htonl htonll htons index inet_ntoa inet_ntoa6 inet_ntop json jstack
syn keyword dtFunction link_ntop lltostr mnt_path mod mutex_owned mutex_owner mutex_type_adaptive
syn keyword dtFunction mutex_type_spin ntohl ntohll ntohs progenyof rand rindex rw_iswriter
syn keyword dtFunction rw_read_held rw_write_held signame speculation stack strchr strcontains
syn keyword dtFunction strerror strjoin strlen strncmp strrchr strstr strtok strtoll substr sym
syn keyword dtFunction tolower toupper uaddr ufunc umod ustack usym
syn keyword dtAction chill clear commit denormalize discard exit freopen ftruncate normalize pcap
syn keyword dtAction print printa printf raise return setopt speculate stop system trace tracemem
syn keyword dtAction trunc
syn keyword dtAggregation avg count llquantize lquantize max min quantize stddev sum

syn match dtTypedef "\<\h\w*_t\>"
" A member may be called anything.
syn match dtMember "\%(->\|\.\)\s*\h\w*" contains=NONE
syn match dtNumber "\<\%(0[xX]\x\+\|\d\+\)[uUlL]*\>"
syn match dtFloat "\<\d\+\.\d*\%([eE][-+]\=\d\+\)\=[fFlL]\=\|\<\d\+[eE][-+]\=\d\+"
syn match dtAggregate "@\%(\h\w*\)\="
syn match dtMacro "\$\$\=\%(\d\+\|\h\w*\)"
syn match dtSymbol "\%(\h[A-Za-z0-9_.]*\)\=`\h\w*"

" Probe descriptions: all four fields, or a probe that is known by its name.
syn match dtProbe "\%(^\|,\)\s*\zs[A-Za-z_*?][^,;{}: \t\"]*\%(:[^,;{}: \t\"]*\)\{3}"
	\ contains=dtMacro
syn match dtProbe "^\s*\zs:\+[^,;{}: \t\"/=]\+" contains=dtMacro
syn match dtProbe "\<\%(BEGIN\|END\|ERROR\|SIGUSR[12]\)\>"
syn match dtProbe "\<\%(tick\|profile\)-\d\+\a*\>"

syn match dtEscape contained "\\\%(\o\{1,3}\|x\x\+\|.\)"
syn match dtFormat contained "%%\|%[-+# 0'@]*\%(\d\+\|\*\)\=\%(\.\%(\d\+\|\*\)\)\=[hlLwjzt]*\a"
syn region dtString start=+"+ skip=+\\\\\|\\"+ end=+"\|$+ contains=dtEscape,dtFormat,@Spell
syn match dtCharacter "'\%([^'\\]\|\\.[^']*\)*'" contains=dtEscape

syn keyword dtTodo contained TODO FIXME XXX
syn region dtComment start="/\*" end="\*/" contains=dtTodo,@Spell
syn match dtComment "//.*" contains=dtTodo,@Spell
syn match dtScript "\%^#!.*"
syn match dtPragma "^\s*#.*" contains=dtString,dtComment

syn sync ccomment dtComment

hi def link dtStatement Statement
hi def link dtConditional Conditional
hi def link dtStructure Structure
hi def link dtStorage StorageClass
hi def link dtType Type
hi def link dtTypedef Type
hi def link dtOperator Operator
hi def link dtReserved Error
hi def link dtVariable Special
hi def link dtFunction Function
hi def link dtAction Function
hi def link dtAggregation Function
hi def link dtAggregate Identifier
hi def link dtMacro Macro
hi def link dtSymbol Identifier
hi def link dtProbe Label
hi def link dtNumber Number
hi def link dtFloat Float
hi def link dtEscape SpecialChar
hi def link dtFormat SpecialChar
hi def link dtString String
hi def link dtCharacter Character
hi def link dtTodo Todo
hi def link dtComment Comment
hi def link dtScript PreProc
hi def link dtPragma PreProc

let b:current_syntax = "dt"
