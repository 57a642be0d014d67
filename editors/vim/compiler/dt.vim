" SPDX-License-Identifier: GPL-2.0-or-later
" :make checks a script without tracing. Options and program may be others: let g:dt_options = '-Z',
" let g:dt_program = '/opt/dt/sbin/dtrace'.
if exists("current_compiler")
  finish
endif
let current_compiler = "dt"

let s:installed = executable('/usr/sbin/dtrace') ? '/usr/sbin/dtrace' : 'dtrace'
let s:program = get(g:, 'dt_program', s:installed)
let s:options = get(g:, 'dt_options', '-x defaultargs')
let &l:makeprg = s:program . ' -e -x errfmt=gcc ' . s:options . ' -s %:S'
setlocal errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,
setlocal errorformat+=dtrace:\ %tarning:\ %m,dtrace:\ %m
